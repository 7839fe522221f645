import { uploadRecording } from '@earshot/client/upload';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startTestServer } from '@earshot/server/testing/server';
import { readRecordings, testModelFolder } from '@earshot/server/testing/speech';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { fetchModels } from '../../caption/tests/deaths.ts';
import { startNodeProcess } from '../../event/tests/node-process.ts';
import { encodeWav } from '../../../platform/listening/remote/wav.ts';
import { createAlertScene } from './scene.ts';

beforeAll(fetchModels, 600_000);

const clips = 200;

/** The value below which so many of a hundred are. */
const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor((values.length * share) / 100))
  ] ?? 0;

test('people are told seconds after a clip is transcribed, while many are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-in-time-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const storage = { url: pathToFileURL(join(folder, 'files')).href, accessKey: '', secretKey: '' };
  const secretKey = randomBytes(32);
  const server = await startTestServer({ role: 'server', secretKey, storage });
  onTestFinished(() => server.stop());
  await startNodeProcess({
    EARSHOT_DATA_DIR: join(folder, 'node'),
    EARSHOT_DATABASE_URL: server.databaseUrl,
    EARSHOT_SECRET_KEY: secretKey.toString('base64'),
    EARSHOT_STORAGE_URL: storage.url,
    EARSHOT_MODEL_DIR: testModelFolder,
    EARSHOT_CAPTION_ENGINE: 'moonshine',
  });
  const { client, person, addDevice, addRule } = await createAlertScene(server);
  const deviceID = await addDevice();
  const { credential } = await person.withKey();
  const ruleID = await addRule({
    when: { any: ['the', 'and', 'of', 'to', 'a', 'was', 'her', 'in'].map((words) => ({ words })) },
    groupSeconds: 0,
    mostPerHour: 1_000,
    actions: [{ action: 'notify' }],
  });
  const recordings = readRecordings();
  const begun = Math.floor(Date.now() / 1_000) - 3_600;
  for (let at = 0; at < clips; at += 1) {
    const { samples } = recordings[at % recordings.length]!;
    const metadata = {
      deviceID: String(deviceID),
      startDate: new Date((begun + at * 10) * 1_000).toISOString(),
      filename: `${at}.wav`,
    };
    const sound = new Blob([new Uint8Array(encodeWav(samples.subarray(0, 16_000 * 4)))]);
    await uploadRecording({ url: server.url, credential }, { sound, metadata });
  }
  const captions = async () =>
    (await server.db<{ count: number }[]>`select count(*)::int as count from captions`)[0]?.count;
  await expect.poll(captions, { timeout: 1_200_000, interval: 1_000 }).toBe(clips);
  await expect.poll(async () => (await server.db`select 1 from clips_to_judge`).length, { timeout: 60_000 }).toBe(0);
  const { results } = await client.listRuleMatches({ body: { ruleID, count: 1_000 } });
  const times = results.map(({ arrivedDate = '', transcribedDate = '', toldDate = '' }) => ({
    transcribedMs: Date.parse(transcribedDate) - Date.parse(arrivedDate),
    toldMs: Date.parse(toldDate) - Date.parse(arrivedDate),
  }));
  const show = (values: readonly number[]) =>
    [50, 95].map((share) => `${(percentile(values, share) / 1_000).toFixed(2)} s`).join(' and ');
  process.stdout.write(
    `${times.length} of ${clips} clips are told of. Median and p95 from upload to transcript ` +
      `${show(times.map(({ transcribedMs }) => transcribedMs))}, to bell ${show(times.map(({ toldMs }) => toldMs))}, ` +
      `from transcript to bell ${show(times.map(({ transcribedMs, toldMs }) => toldMs - transcribedMs))}\n`,
  );
  expect(times.length).toBeGreaterThan(clips / 2);
  expect(times.every(({ toldMs }) => toldMs > 0)).toBe(true);
});
