import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@earshot/client/client';
import type { Pool } from '@earshot/server/platform/database/connect';
import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { addRecorder } from '../../caption/tests/captioning.ts';
import { refusedWith } from '../../event/tests/fleet.ts';
import { startNodeProcess } from '../../event/tests/node-process.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import { isUsualIn } from '../older/older.ts';
import type { MeasuringEars } from './measuring.ts';
import { createMeasuringEars, factsOf, readFacts, startMeasuring } from './measuring.ts';

// Clips that have sound but neither facts nor a note, as those of before facts were kept.

/** Clips of 0.1, 0.2, … seconds, oldest first. */
async function addOlder(client: Client, db: Pool, count: number): Promise<number[]> {
  const recorder = await addRecorder(client, false);
  const clips: number[] = [];
  for (let at = 1; at <= count; at += 1) clips.push(await recorder.add(tinyWav(at / 10)));
  for (const clipID of clips) await factsOf(client, clipID);
  await db`delete from clip_facts`;
  return clips;
}

const switchOlder = (client: Client, isEnabled: boolean) => client.changeOlderClipFacts({ body: { isEnabled } });

async function startOlder(ears: MeasuringEars, isEnabled = false) {
  const server = await startMeasuring(ears);
  onTestFinished(() => server.stop());
  const client = server.admin.session;
  await switchOlder(client, isEnabled);
  // A new installation has ended it already.
  await server.db`update older_clips_to_measure set ended_date = null, next_key = null`;
  return { server, client };
}

test('older clips are measured newest first, and it is told how many and how many bytes are left', async () => {
  const ears = createMeasuringEars();
  const { server, client } = await startOlder(ears);
  const clips = await addOlder(client, server.db, 3);
  ears.measured.length = 0;
  expect(await client.getOlderClipFacts()).toEqual({
    isEnabled: false,
    isEnded: false,
    readsObjectStore: false,
    measuredCount: 0,
    failedCount: 0,
    leftCount: 3,
    leftBytes: tinyWav(0.1).length + tinyWav(0.2).length + tinyWav(0.3).length,
  });
  await switchOlder(client, true);
  await expect.poll(() => client.getOlderClipFacts()).toMatchObject({ isEnded: true, measuredCount: 3, leftCount: 0 });
  expect(ears.measured).toEqual([300, 200, 100]);
  for (const clipID of clips) expect((await readFacts(client, clipID)).soundMs).toBeGreaterThan(0);
  const member = await server.addPerson();
  await expect(member.session.getOlderClipFacts()).rejects.toEqual(refusedWith(403));
});

test('it stops when it is switched off, and continues where it stopped', async () => {
  const ears = createMeasuringEars();
  const { server, client } = await startOlder(ears);
  const clips = await addOlder(client, server.db, 4);
  ears.measured.length = 0;
  ears.beforeSpeech = async () => {
    if (ears.measured.length === 1) await switchOlder(client, false);
  };
  await switchOlder(client, true);
  await expect.poll(() => client.getOlderClipFacts()).toMatchObject({ isEnabled: false, measuredCount: 2 });
  // A new clip is measured although older ones are not.
  const recorder = await addRecorder(client, false);
  await factsOf(client, await recorder.add(tinyWav(1)));
  expect(await client.getOlderClipFacts()).toMatchObject({ leftCount: 2, isEnded: false });
  ears.beforeSpeech = () => {};
  await switchOlder(client, true);
  await factsOf(client, clips[0]!);
  expect(ears.measured).toEqual([400, 300, 1000, 200, 100]);
  // Switched on again after its end, it finds nothing more to do.
  await expect.poll(async () => (await client.getOlderClipFacts()).isEnded).toBe(true);
  await switchOlder(client, true);
  await expect.poll(() => client.getOlderClipFacts()).toMatchObject({ isEnded: true, measuredCount: 0 });
  expect(ears.measured).toHaveLength(5);
});

test('one node of several does it, and another one continues when that node has died', async () => {
  const ears = createMeasuringEars();
  const { server, client } = await startOlder(ears);
  await server.addNode();
  const clips = await addOlder(client, server.db, 6);
  ears.measured.length = 0;
  await server.db`
    update older_clips_to_measure set node = ${randomUUID()}, held_until = now() + interval '1 minute',
      next_key = ${clips[3]!}`;
  await switchOlder(client, true);
  const recorder = await addRecorder(client, false);
  await factsOf(client, await recorder.add(tinyWav(1)));
  expect(ears.measured).toEqual([1000]);
  await server.db`update older_clips_to_measure set held_until = now()`;
  await expect.poll(() => client.getOlderClipFacts()).toMatchObject({ isEnded: true, measuredCount: 3 });
  expect(ears.measured).toEqual([1000, 300, 200, 100]);
});

test('on an object store it is off until somebody switches it on', () => {
  const urls = ['', 'file:///srv/sound', 's3://sound', 'https://store.example.org/sound'];
  expect(urls.map(isUsualIn)).toEqual([true, true, false, false]);
});

test('a node that is killed while it measures loses nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-measure-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const secretKey = randomBytes(32);
  const url = pathToFileURL(join(folder, 'files')).href;
  const storage = { url, accessKey: '', secretKey: '' };
  const server = await startTestServer({ role: 'server', secretKey, storage });
  onTestFinished(() => server.stop());
  const client = server.admin.session;
  const recorder = await addRecorder(client, false);
  const minutes = 20;
  const clipID = await recorder.add(tinyWav(minutes * 60));
  const start = (name: string) =>
    startNodeProcess({
      EARSHOT_DATA_DIR: join(folder, name),
      EARSHOT_DATABASE_URL: server.databaseUrl,
      EARSHOT_SECRET_KEY: secretKey.toString('base64'),
      EARSHOT_STORAGE_URL: url,
      EARSHOT_MODEL_DIR: join(folder, 'no-models'),
    });
  const first = await start('first');
  const isHeld = async () => (await server.db`select 1 from clips_to_measure where held_until is not null`).length;
  await expect.poll(isHeld).toBe(1);
  await first.killNow();
  expect(await readFacts(client, clipID)).toEqual({ audioClipID: clipID });
  // As if its time was over.
  await server.db`update clips_to_measure set held_until = now()`;
  await start('second');
  const { soundMs, speechSeconds } = await factsOf(client, clipID);
  expect([soundMs, speechSeconds]).toEqual([minutes * 60_000, undefined]);
  expect(await server.db`select 1 from clips_to_measure`).toEqual([]);
});
