import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWav } from './testing/make-wav.ts';
import { withKey } from './testing/people.ts';
import { openCli } from './testing/run-cli.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** What a muted input records: the same bytes again and again. */
const silence = makeWav(0.1, -200);
const many = 210;
/** Recorders name their files by the second. */
const nameAt = (index: number): string => {
  const [minute, second] = [Math.floor(index / 60), index % 60].map((part) => String(part).padStart(2, '0'));
  return `20261101_05${minute}${second}.WAV`;
};

async function fill(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < count; index++) await writeFile(join(folder, nameAt(index)), silence);
}

test('silent recordings of different starts are all uploaded, and a second time all are named as already there', async () => {
  const cli = await withKey(server);
  await fill(join(cli.home, 'card'), many);
  const args = ['upload', '-d', 'muted-1', '--create', 'card', '--time-zone', 'UTC', '--parallel', '8'];
  const first = await cli.run([...args, '--json']);
  expect(first.code, first.err).toBe(0);
  const uploaded = first.records();
  expect(uploaded.filter(({ state }) => state === 'uploaded')).toHaveLength(many);
  expect(new Set(uploaded.map(({ audioClipID }) => audioClipID)).size).toBe(many);

  const again = await cli.run(args);
  expect(again.code, again.err).toBe(0);
  expect(again.err).toContain(`0 uploaded, ${many} already there, 0 failed.`);
  for (const { path, audioClipID } of uploaded) {
    const name = String(path).split('/').at(-1);
    expect(again.err).toContain(`${name}: already there as clip ${String(audioClipID)}: same device, start and sound`);
  }
});

test('a folder of silent recordings becomes as many clips on each device', async () => {
  const cli = await withKey(server);
  await fill(join(cli.home, 'tree', 'mast-east'), 5);
  await fill(join(cli.home, 'tree', 'mast-west'), 5);
  const first = await cli.run(['import', 'folder', 'tree', '--time-zone', 'UTC', '--json']);
  expect(first.code, first.err).toBe(0);
  expect(first.records().map(({ state }) => state)).toEqual(Array.from({ length: 10 }, () => 'uploaded'));
  const again = await cli.run(['import', 'folder', 'tree', '--time-zone', 'UTC', '--json']);
  expect(again.records().map(({ state }) => state)).toEqual(Array.from({ length: 10 }, () => 'skipped'));
});

test('a copy of a recording is skipped and named; a copy with another start is not', async () => {
  const cli = await withKey(server);
  const folder = join(cli.home, 'copies');
  await fill(folder, 1);
  await copyFile(join(folder, nameAt(0)), join(folder, `copy of ${nameAt(0)}`));
  await copyFile(join(folder, nameAt(0)), join(folder, nameAt(1)));
  const run = await cli.run(['upload', '-d', 'copies-1', '--create', 'copies', '--time-zone', 'UTC', '--json']);
  expect(run.code, run.err).toBe(0);
  const inState = (wanted: string) => run.records().filter(({ state }) => state === wanted);
  expect(inState('uploaded')).toHaveLength(2);
  expect(inState('skipped')).toEqual([
    expect.objectContaining({
      path: expect.stringContaining(nameAt(0)),
      audioClipID: expect.any(Number),
      reason: 'same device, start and sound',
    }),
  ]);
});

test('what a folder has beside recordings is named, and a link to nothing makes the command fail', async () => {
  const cli = await withKey(server);
  const folder = join(cli.home, 'mixed', 'mast');
  await fill(folder, 1);
  await writeFile(join(folder, 'notes.txt'), 'gain 12');
  await writeFile(join(cli.home, 'mixed', 'loose.wav'), silence);
  await symlink(join(cli.home, 'mixed', 'loose.wav'), join(folder, '20261102_050000.wav'));
  const args = ['import', 'folder', 'mixed', '--time-zone', 'UTC'];
  const first = await cli.run(args);
  expect(first.code, first.err).toBe(0);
  expect(first.err).toContain('- mixed/loose.wav: left out: in no folder of a device');
  expect(first.err).toContain('- mixed/mast/notes.txt: left out: not a name of sound');
  expect(first.err).toContain('2 uploaded, 0 already there, 0 failed.');

  await symlink('gone.wav', join(folder, 'gone-link.wav'));
  const second = await cli.run(args);
  expect(second.code).toBe(6);
  expect(second.err).toContain('✗ mixed/mast/gone-link.wav: no file, or a link that leads to none');
  expect(second.err).toContain('0 uploaded, 2 already there, 1 failed.');
  const upload = await cli.run(['upload', '-d', 'mast', 'mixed/mast', '--time-zone', 'UTC', '--json']);
  expect(upload.records()).toContainEqual(
    expect.objectContaining({ state: 'failed', path: expect.stringContaining('gone-link.wav') }),
  );
});

test('with a write-only key, which may not ask, what the server had is told as already there', async () => {
  const { key: deviceID = 0 } = await server.admin.session.createDevice({ body: { deviceSerial: 'only-writes' } });
  const { credential } = await server.admin.withKey({ deviceID, isWriteOnly: true });
  const cli = await openCli({
    EARSHOT_URL: server.url,
    EARSHOT_ACCESS_KEY: credential.accessKey,
    EARSHOT_SECRET_KEY: credential.secretKey,
  });
  await fill(join(cli.home, 'card'), 2);
  const args = ['upload', '-d', String(deviceID), 'card', '--time-zone', 'UTC'];
  const first = await cli.run(args);
  expect(first.err).toContain('2 uploaded, 0 already there, 0 failed.');
  const again = await cli.run(args);
  expect(again.err).toContain('0 uploaded, 2 already there, 0 failed.');
});
