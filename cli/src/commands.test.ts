import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@earshot/server/testing/free-port';
import type { TestServer } from '@earshot/server/testing/server';
import { adminEmail, adminPassword, startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loginsPath } from './stored-logins.ts';
import { makeWav } from './testing/make-wav.ts';
import { signedIn, withKey } from './testing/people.ts';
import { openCli } from './testing/run-cli.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('login keeps a session in a file that only its owner can read, and logout ends it', async () => {
  const cli = await signedIn(server);
  const path = loginsPath({ HOME: cli.home });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, 'utf8')).not.toContain(adminPassword);
  const { sessionToken } = (
    JSON.parse(await readFile(path, 'utf8')) as { servers: Record<string, { sessionToken: string }> }
  ).servers[server.url]!;
  const signedOut = await cli.run(['logout']);
  expect(signedOut.out).toBe(`Signed out of ${server.url}.\n`);
  const answer = await fetch(`${server.url}/v1/session`, { headers: { cookie: `earshot_session=${sessionToken}` } });
  expect(answer.status).toBe(401);
  expect((await cli.run(['devices', '--url', server.url])).code).toBe(4);
});

test('a wrong password, a wrong key and a missing key are told apart', async () => {
  const cli = await openCli({ EARSHOT_URL: server.url });
  const wrong = await cli.run(['login', server.url], { input: `${adminEmail}\nnot this\n`, env: { EARSHOT_URL: '' } });
  expect(wrong.code).toBe(4);
  expect(wrong.err).toContain('The e-mail address or the password is wrong');
  expect((await cli.run(['login', server.url, '--url', server.url])).err).toContain('The address is given twice');
  const nobody = await cli.run(['devices']);
  expect(nobody).toMatchObject({ code: 4, out: '' });
  expect(nobody.err).toContain('You are not signed in');
  const half = await cli.run(['devices'], { env: { EARSHOT_ACCESS_KEY: 'x' } });
  expect(half).toMatchObject({ code: 2 });
  expect(half.err).toContain('EARSHOT_SECRET_KEY is not');
  const bad = await cli.run(['devices'], { env: { EARSHOT_ACCESS_KEY: 'x', EARSHOT_SECRET_KEY: 'y' } });
  expect(bad.code).toBe(4);
  const unreachable = await cli.run(['version', '--url', `http://127.0.0.1:${await findFreePort()}`], {
    env: { EARSHOT_ACCESS_KEY: 'x', EARSHOT_SECRET_KEY: 'y' },
  });
  expect(unreachable.code).toBe(5);
  expect(unreachable.err).toContain('nothing answers there');
});

test('recordings are uploaded once, listed, found, downloaded and continued', async () => {
  const cli = await withKey(server);
  const card = join(cli.home, 'card', 'DCIM');
  await mkdir(card, { recursive: true });
  await writeFile(join(card, '20261101_083000.WAV'), makeWav(2, 1));
  await writeFile(join(card, '20261101_084500.WAV'), makeWav(3, 2));
  await writeFile(join(card, 'CONFIG.TXT'), 'not sound');
  await writeFile(join(card, 'broken.wav'), 'not a recording');

  const missing = await cli.run(['upload', '--device', 'card-1', 'card']);
  expect(missing).toMatchObject({ code: 3 });
  expect(missing.err).toContain('--create');
  const first = await cli.run(['upload', '-d', 'card-1', '--create', 'card', '--time-zone', 'Europe/Zurich']);
  expect(first.code).toBe(6);
  expect(first.err).toContain('- card/DCIM/CONFIG.TXT: left out: not a name of sound');
  expect(first.err).toContain('2 uploaded, 0 already there, 1 failed.');
  const again = await cli.run([
    'upload',
    '-d',
    'card-1',
    'card/DCIM/20261101_083000.WAV',
    'card/DCIM/20261101_084500.WAV',
    '--time-zone',
    'Europe/Zurich',
    '--json',
  ]);
  expect(again.code, again.err).toBe(0);
  expect(again.records().map(({ state }) => state)).toEqual(['skipped', 'skipped']);

  const listed = await cli.run(['clips', 'card-1', '--oldest', '--json']);
  const clips = listed.records();
  // In Zurich it was an hour later than in UTC.
  expect(clips.map(({ startTime }) => startTime)).toEqual([1_793_518_200, 1_793_519_100]);
  const titled = await cli.run(['clips', 'card-1', '--title', '1101_0845', '--json']);
  expect(titled.records().map(({ title }) => title)).toEqual(['20261101_084500']);
  const table = await cli.run(['clips', 'card-1', '--limit', '1'], { columns: 80 });
  expect(table.out.split('\n')).toHaveLength(3);
  expect(table.err).toContain('The first 1 are shown');

  const captionID = Number(clips[0]!['key']);
  await server.admin.session.correctCaption({
    params: { captionID },
    body: { transcript: 'meet me at the \u001B[31mnorth gate' },
  });
  const found = await cli.run(['search', 'north', 'gate', '--device', 'card-1'], { columns: 100 });
  expect(found.out).toContain(`${captionID}`);
  const marked = String.raw`at the \x1b[31mnorth gate`;
  expect(found.out.replaceAll(/\p{Cc}\[\d+m/gu, '')).toContain(marked);
  const nothing = await cli.run(['search', 'zeppelin', '--device', 'card-1']);
  expect(nothing).toMatchObject({ code: 0, out: '' });

  const downloaded = await cli.run(['download', '--device', 'card-1', '--since', '2026-11-01', '--output', 'night']);
  expect(downloaded.err).toContain('2 downloaded, 0 already there, 0 failed.');
  const names = await readdir(join(cli.home, 'night'));
  expect(names).toHaveLength(2);
  expect(
    await readFile(
      join(
        cli.home,
        'night',
        names.find((name) => name.includes(`_${captionID}.`))!,
      ),
    ),
  ).toEqual(makeWav(2, 1));
  expect((await cli.run(['download', String(captionID), '-o', 'night'])).err).toContain('0 failed');
  expect((await cli.run(['download', '999999'])).code).toBe(3);
});

test('an interrupted download continues with the bytes that are missing', async () => {
  const cli = await withKey(server);
  const wav = makeWav(4, 9);
  await writeFile(join(cli.home, 'one.wav'), wav);
  const uploaded = await cli.run([
    'upload',
    '-d',
    'resume-1',
    '--create',
    'one.wav',
    '--start',
    '2026-11-02T10:00Z',
    '--json',
  ]);
  const clip = uploaded.records()[0]!['audioClipID'] as number;
  const head = await fetch(`${server.url}/v1/audioclip/${clip}/content`, { headers: { cookie: server.admin.cookie } });
  await head.arrayBuffer();
  // The first bytes differ from those of the server, so they show where the download continued.
  await writeFile(join(cli.home, `.earshot-${clip}.part`), Buffer.alloc(1_000, 7));
  await writeFile(join(cli.home, `.earshot-${clip}.part.etag`), head.headers.get('etag')!);
  expect((await cli.run(['download', String(clip)])).code).toBe(0);
  const name = (await readdir(cli.home)).find((each) => each.endsWith(`_${clip}.wav`))!;
  const bytes = await readFile(join(cli.home, name));
  expect(bytes.length).toBe(wav.length);
  expect(bytes.subarray(0, 1_000)).toEqual(Buffer.alloc(1_000, 7));
  expect(bytes.subarray(1_000)).toEqual(wav.subarray(1_000));
});

test('events are sent, watched to their end, listed and cancelled', async () => {
  const cli = await withKey(server);
  const device = await server.admin.session.createDevice({
    body: { deviceSerial: 'events-1', deviceName: 'Gate \u001B]0;x\u0007' },
  });
  const { client } = await server.admin.withKey({ deviceID: device.key! });
  await client.registerAgent({ body: { deviceSerial: 'events-1', agentType: 'Device', processID: 1 } });
  const watching = cli.run(['events', 'send', 'reboot', 'events-1', '--watch']);
  await expect
    .poll(async () => {
      const event = await client.dequeueEvent({
        body: { deviceSerial: 'events-1', agentType: 'Device', processID: 1 },
      });
      if (!event?.key) return undefined;
      await client.reportEvent({ params: { eventID: event.key }, body: { eventStatus: 3, percentComplete: 40 } });
      await client.reportEvent({ params: { eventID: event.key }, body: { eventStatus: 4, result: 'done' } });
      return event.key;
    })
    .toBeDefined();
  const watched = await watching;
  expect(watched, watched.err).toMatchObject({ code: 0 });
  expect(watched.err).toContain('complete, done');
  expect(watched.err).not.toContain('\u001B');

  const sent = await cli.run(['events', 'send', 'Reboot', 'events-1', '--json']);
  const key = String(sent.records()[0]!['key']);
  expect((await cli.run(['events', 'cancel', key])).out).toBe(`Cancelled event ${key}.\n`);
  const ended = await cli.run(['events', 'watch', key]);
  expect(ended).toMatchObject({ code: 1 });
  const open = await cli.run(['events', 'list', 'events-1', '--state', 'open']);
  expect(open).toMatchObject({ code: 0, out: '' });
  expect((await cli.run(['events', 'send', 'Reboot', 'events-1', '-p', '[1]'])).code).toBe(2);

  await server.admin.session.createEventPreset({
    body: { eventPresetName: 'Restart it', eventType: 'Reboot', deviceID: device.key! },
  });
  const ran = await cli.run(['presets', 'run', 'restart it', '--json']);
  expect(ran.records()).toMatchObject([{ deviceID: device.key }]);
  const presets = await cli.run(['presets', 'list']);
  expect(presets.out, presets.err).toContain('Restart it');
  expect((await cli.run(['presets', 'run', 'no such'])).code).toBe(3);
  expect((await cli.run(['agents', 'events-1'])).out).toContain('Device 0');
});

test('tail shows changes as they happen, and ends', async () => {
  const cli = await withKey(server);
  const device = await server.admin.session.createDevice({ body: { deviceSerial: 'tail-1' } });
  const tailing = cli.run(['tail', '--device', 'tail-1', '--kind', 'device', '--count', '1', '--json']);
  const changes = setInterval(() => {
    void server.admin.session.updateDevice({
      params: { deviceID: device.key! },
      body: { deviceDescription: `${Math.random()}` },
    });
  }, 200);
  const { code, records } = await tailing;
  clearInterval(changes);
  expect(code).toBe(0);
  // A stream begins after the last change that no transaction of any database can still precede, so the creation may be
  // the first to come.
  const change = expect.stringMatching(/^(?:created|changed)$/);
  expect(records()).toMatchObject([{ event: 'device', change, key: device.key }]);
});

test('keys are made and deleted in a session, not with a key', async () => {
  const cli = await signedIn(server);
  const made = await cli.run(['keys', 'create', '--description', 'Nightly']);
  const [, accessKey, secretKey] = /ACCESS_KEY=(\S+)\nEARSHOT_SECRET_KEY=(\S+)/.exec(made.out)!;
  const env = { EARSHOT_ACCESS_KEY: accessKey!, EARSHOT_SECRET_KEY: secretKey! };
  expect((await cli.run(['devices', '--json'], { env })).code).toBe(0);
  expect((await cli.run(['keys', 'list'], { env })).code).toBe(4);
  const listed = await cli.run(['keys', 'list', '--json']);
  const key = listed.records().find((each) => each['accessKey'] === accessKey)!;
  expect(key).toMatchObject({ aPIKeyDescription: 'Nightly' });
  expect((await cli.run(['keys', 'delete', String(key['key'])])).code).toBe(0);
  expect((await cli.run(['devices'], { env })).code).toBe(4);
});

test('doctor finds what is wrong and says what to do', async () => {
  const cli = await withKey(server);
  const well = await cli.run(['doctor', '--json']);
  const named = (name: string, result = well) => result.records().find((each) => each['name'] === name);
  expect(named('Server')).toMatchObject({ state: 'ok' });
  expect(named('Credential')).toMatchObject({ state: 'ok' });
  expect(named('Clock')).toMatchObject({ state: 'ok' });
  for (const name of ['Connections', 'Worker', 'Transcription']) expect(named(name)).toMatchObject({ state: 'ok' });
  expect(named('Storage')).toMatchObject({ state: expect.stringMatching(/ok|warning/) });
  expect(named('Backups')).toMatchObject({ state: 'skipped' });
  const none = await cli.run(['doctor', '--json', '--backups', cli.home]);
  expect(none.code).toBe(1);
  expect(named('Backups', none)).toMatchObject({ state: 'fault', mend: expect.stringContaining('earshot backup') });
  await mkdir(join(cli.home, 'backups', 'one'), { recursive: true });
  await writeFile(join(cli.home, 'backups', 'one', 'manifest.json'), '{}');
  expect(named('Backups', await cli.run(['doctor', '--json', '--backups', cli.home]))).toMatchObject({ state: 'ok' });
  const lost = await cli.run(['doctor', '--json', '--url', `http://127.0.0.1:${await findFreePort()}`]);
  expect(lost.code).toBe(1);
  expect(named('Server', lost)).toMatchObject({ state: 'fault', mend: expect.stringContaining('Check the address') });
  const here = await cli.run(['doctor', '--server'], {
    env: { EARSHOT_DATA_DIR: cli.home, EARSHOT_DATABASE_URL: 'postgres://127.0.0.1:1/earshot', PATH: cli.home },
  });
  expect(here.code).toBe(1);
  expect(here.out).toMatch(/✗ Database .*cannot reach 127\.0\.0\.1:1/);
  expect(here.out).toMatch(/! ffmpeg +not found/);
  expect(here.out).toMatch(/- Schema +the database cannot be asked: /);
  const onServer = await cli.run(['doctor', '--json', '--server'], {
    env: { EARSHOT_DATA_DIR: server.dataDir, EARSHOT_DATABASE_URL: server.databaseUrl },
  });
  expect(named('Schema', onServer)).toMatchObject({ state: 'ok', text: expect.stringContaining('of this version') });
});

test('devices are listed in pages, cut to the terminal, without control characters', async () => {
  const cli = await withKey(server);
  const name = `Tower \u001B[2J ${'long '.repeat(30)}`;
  await server.admin.session.createDevice({
    body: { deviceSerial: 'table-1', deviceName: name, deviceDescription: 'x'.repeat(300) },
  });
  const shown = await cli.run(['devices', 'table-1'], { columns: 80 });
  const lines = shown.out
    .replaceAll(/\p{Cc}\[\d+m/gu, '')
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines[1]).toContain(String.raw`Tower \x1b[2J`);
  const plain = await cli.run(['devices', 'table-1']);
  expect(plain.out).toContain('x'.repeat(300));
  expect(plain.out).not.toContain('\u001B');
  const some = await cli.run(['devices', '--limit', '2', '--json']);
  expect(some.records()).toHaveLength(2);
});
