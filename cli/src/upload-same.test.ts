import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWav } from './testing/make-wav.ts';
import { withKey } from './testing/people.ts';

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
