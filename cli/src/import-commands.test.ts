import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWav } from './testing/make-wav.ts';
import { signedIn, withKey } from './testing/people.ts';
import { makeArchiveSeven, makeArchiveSix } from './testing/rdio-archive-file.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('an archive of rdio-scanner is imported once; bad rows are reported and skipped', async () => {
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
  expect(first.err).toContain('2 imported, 0 already there, 4 skipped.');
  const continued = await cli.run(['import', 'rdio', 'rdio.db']);
  expect(continued.code, continued.err).toBe(0);
  expect(continued.err).toContain('0 imported, 0 already there, 0 skipped.');
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
  const stopping = setInterval(() => {
    void readdir(places).then(
      (names) => names.some((name) => !name.includes('.')) && stop.abort(),
      () => {},
    );
  }, 1);
  const interrupted = await cli.run(words, { signal: stop.signal });
  clearInterval(stopping);
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
