import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import sqlite from 'node-sqlite3-wasm';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { makeWav } from './testing/make-wav.ts';
import { signedIn, withKey } from './testing/people.ts';
import { makeArchiveSeven, makeArchiveSix } from './testing/rdio-archive-file.ts';
import { openCli } from './testing/run-cli.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('an archive of rdio-scanner is imported once; bad rows are reported', async () => {
  const cli = await signedIn(server);
  const start = Date.UTC(2025, 5, 1, 12);
  const path = join(cli.home, 'rdio.db');
  makeArchiveSeven(path, [
    { audio: makeWav(1, 31), time: start },
    { audio: 'a text', time: start + 10_000 },
    { audio: makeWav(1, 32), time: 'not a time' },
    { audio: makeWav(1, 33), time: start + 20_000, talkgroup: 99 },
    { audio: Buffer.from('no sound at all'), time: start + 30_000 },
    { audio: makeWav(1, 34), time: start + 40_000 },
  ]);
  const first = await cli.run(['import', 'rdio', 'rdio.db']);
  expect(first.code, first.err).toBe(6);
  expect(first.err).toContain('2 imported, 0 already there, 4 failed.');
  const restarted = await cli.run(['import', 'rdio', 'rdio.db', '--restart', '--json']);
  expect(restarted.records().filter(({ state }) => state === 'duplicate')).toHaveLength(2);
  const clips = (await cli.run(['clips', 'County radio', '--json'])).records();
  expect(clips).toHaveLength(2);
  expect(clips[1]).toMatchObject({
    startTime: start / 1_000,
    radioCall: {
      talkgroup: 4521,
      talkgroupLabel: 'FIRE DISP',
      talkgroupGroup: 'Fire',
      unit: 1_610_018,
      patches: [4522],
    },
  });

  makeArchiveSix(join(cli.home, 'old.db'), [{ audio: makeWav(1, 41), time: '2022-11-25 08:30:00.000 -05:00' }]);
  expect((await cli.run(['import', 'rdio', 'old.db'])).code).toBe(0);
  const [old] = (await cli.run(['clips', 'City radio', '--json'])).records();
  expect(old).toMatchObject({
    startTime: Date.UTC(2022, 10, 25, 13, 30) / 1_000,
    radioCall: { talkgroupLabel: 'PD MAIN' },
  });
});

test('rows that failed are named again and tried again by the next run, until they are imported', async () => {
  const cli = await signedIn(server);
  const start = Date.UTC(2025, 6, 1, 12);
  const path = join(cli.home, 'again.db');
  makeArchiveSeven(path, [
    { audio: makeWav(1, 81), time: start },
    { audio: 'a text', time: start + 10_000 },
    { audio: makeWav(1, 82), time: 'not a time' },
    { audio: Buffer.from('no sound at all'), time: start + 30_000 },
  ]);
  const run = (...words: string[]) => cli.run(['import', 'rdio', 'again.db', ...words]);
  const first = await run();
  expect(first.code, first.err).toBe(6);
  const named = ['✗ call 2: It has no sound.', '✗ call 3: It has no valid time.', '✗ call 4: Incomplete call data:'];
  for (const line of named) expect(first.err).toContain(line);
  expect(first.err).toContain('Run the command again');

  const second = await run();
  expect(second.code, second.err).toBe(6);
  expect(second.err).toContain('Continues after call 4. 3 calls that failed are tried again.');
  for (const line of named) expect(second.err).toContain(line);
  expect(second.err).toContain('0 imported, 0 already there, 3 failed.');

  // One is mended, one is removed, and a new one is there.
  const db = new sqlite.Database(path);
  db.run('update "calls" set "timestamp" = ? where "callId" = 3', [start + 20_000]);
  db.run('delete from "calls" where "callId" = 2');
  db.run(
    `insert into "calls" ("audio", "audioFilename", "audioMime", "systemId", "talkgroupId", "timestamp") values (?, 'call.wav', 'audio/wav', 3, 21, ?)`,
    [makeWav(1, 83), start + 50_000],
  );
  db.close();
  const third = await run('--json');
  expect(third.code, third.err).toBe(6);
  const outcomes = third.records().map(({ state, callID }) => `${String(callID)} ${String(state)}`);
  expect(outcomes.toSorted()).toEqual(['3 stored', '4 failed', '5 stored']);

  const mended = new sqlite.Database(path);
  mended.run('update "calls" set "audio" = ? where "callId" = 4', [makeWav(1, 84)]);
  mended.close();
  const fourth = await run();
  expect(fourth.code, fourth.err).toBe(0);
  expect(fourth.err).toContain('1 imported, 0 already there, 0 failed.');
  const last = await run();
  expect(last.code, last.err).toBe(0);
  expect(last.err).toContain('0 imported, 0 already there, 0 failed.');
});

test('a call that the server refuses does not stop the others; a server that fails does', async () => {
  const cli = await openCli({ EARSHOT_ACCESS_KEY: 'a', EARSHOT_SECRET_KEY: 'b', EARSHOT_UPLOAD_KEY: 'c' });
  const start = Date.UTC(2025, 7, 1, 12);
  makeArchiveSeven(
    join(cli.home, 'refused.db'),
    Array.from({ length: 6 }, (_, at) => ({ audio: makeWav(1, 90 + at), time: start + at * 10_000 })),
  );
  let refused: number | undefined = 409;
  const times: string[] = [];
  const gateway = createServer((request, response) => {
    let text = '';
    request.setEncoding('latin1').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const time = /name="timestamp"\r\n\r\n(\d+)/.exec(text)?.[1] ?? '';
      const isSecond = Number(time) === start + 10_000;
      if (!isSecond || refused === undefined) times.push(time);
      response.writeHead(isSecond ? (refused ?? 200) : 200).end(isSecond && refused ? 'The clip is locked.' : 'Done.');
    });
  });
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void gateway.close());
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const run = () => cli.run(['import', 'rdio', 'refused.db', '--url', url]);
  for (const status of [409, 415, 500]) {
    refused = status;
    const { code, err } = await run();
    expect(code, err).toBe(6);
    expect(err).toContain('✗ call 2: The server refused it');
    expect(err).toContain('1 failed.');
  }
  expect(times).toHaveLength(5);
  refused = 404;
  expect(await run()).toMatchObject({ code: 1 });
  refused = undefined;
  expect(await run()).toMatchObject({ code: 0 });
  expect(times).toHaveLength(6);
});

test('a tree of folders becomes devices', async () => {
  const cli = await withKey(server);
  for (const [at, name] of ['Nördlicher Hof', 'list'].entries()) {
    await mkdir(join(cli.home, 'tree', name, 'deep'), { recursive: true });
    await writeFile(join(cli.home, 'tree', name, 'deep', '20261101_100000.wav'), makeWav(1, 50 + at));
  }
  const plan = await cli.run(['import', 'folder', 'tree', '--dry-run']);
  expect(plan.out).toBe('Nördlicher Hof → device Nordlicher-Hof: 1 file\nlist → device folder-list: 1 file\n');
  expect((await cli.run(['import', 'folder', 'tree'])).code).toBe(0);
  const again = await cli.run(['import', 'folder', 'tree']);
  expect(again.err).toContain('0 uploaded, 2 already there, 0 failed.');
});

test('listen plays a hit from where it is said, with the player that is installed', async () => {
  const cli = await withKey(server);
  await writeFile(join(cli.home, 'said.wav'), makeWav(4, 60));
  const uploaded = await cli.run([
    'upload',
    '-d',
    'listen-1',
    '--create',
    'said.wav',
    '--start',
    '2026-11-03T10:00Z',
    '--json',
  ]);
  const captionID = uploaded.records()[0]!['audioClipID'] as number;
  const words = ['red', 'kite', 'ahead'].map((text, at) => ({ text, startMs: at * 1_000, endMs: at * 1_000 + 500 }));
  await server.admin.session.correctCaption({ params: { captionID }, body: { words } });
  const bin = join(cli.home, 'bin');
  await mkdir(bin);
  const none = await cli.run(['listen', String(captionID)], { env: { PATH: bin } });
  expect(none).toMatchObject({ code: 1 });
  expect(none.err).toContain('apt install ffmpeg');
  await writeFile(join(bin, 'ffplay'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  const played = await cli.run(['listen', '--search', 'ahead', '--device', 'listen-1'], {
    env: { PATH: `${bin}:/bin:/usr/bin` },
  });
  expect(played.code, played.err).toBe(0);
  expect(played.out).toContain('-ss 0.5 -i ');
});

test('an upload that was interrupted continues in the same place', async () => {
  const cli = await withKey(server);
  await server.admin.session.createDevice({ body: { deviceSerial: 'long-1' } });
  // More than one piece.
  await writeFile(join(cli.home, '20261104_100000.wav'), makeWav(600, 70));
  const words = ['upload', '-d', 'long-1', '20261104_100000.wav', '--json'];
  const stop = new AbortController();
  const places = join(cli.home, '.local/state/earshot/uploads');
  const hasPlace = async () => (await readdir(places).catch(() => [])).some((name) => !name.includes('.'));
  const send = fetch;
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    // The second piece: the first one is sent with the creation.
    if (request[1]?.method === 'PATCH') {
      await vi.waitUntil(hasPlace);
      stop.abort();
    }
    return send(...request);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const interrupted = await cli.run(words, { signal: stop.signal });
  vi.unstubAllGlobals();
  expect(interrupted.code).toBe(130);
  const [name] = await readdir(places);
  const location = await readFile(join(places, name!), 'utf8');
  const finished = await cli.run(words);
  expect(finished.code, finished.err).toBe(0);
  const head = await fetch(new URL(location, server.url), {
    method: 'HEAD',
    headers: { cookie: server.admin.cookie, 'tus-resumable': '1.0.0' },
  });
  expect(head.headers.get('earshot-clip-id')).toBe(String(finished.records()[0]!['audioClipID']));
  expect(await readdir(places)).toEqual([]);
});
