import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Caption } from '@earshot/contract/caption';
import { eventStatus } from '@earshot/contract/event-status';
import { startTestServer } from '@earshot/server/testing/server';
import { testModelFolder } from '@earshot/server/testing/speech';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startNodeProcess } from '../../event/tests/node-process.ts';
import { addRecorder, captionOf, eventsOf, findCaption, plainWords, readRecording } from './captioning.ts';

const rate = 16_000;
const headerBytes = 44;
/** The sentence is said at the start of each of these. */
const unitSeconds = 30;
const units = 240;
const hourMs = 3_600_000;
/** Captions and labels took longer than an hour on two cores that other work kept busy. */
const longestMs = 2 * hourMs;
/** How far the time of a word may be from its time in a clip of its own; 16 ms were measured. */
const mostOffMs = 50;
/** From ten minutes to an hour of sound; it shrank by 151 MB when measured. */
const mostGrowthBytes = 100_000_000;

/** Each check reads the database. */
const seldom = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 3_000_000, interval: 1_000 });

/** The recording, followed by silence, many times. */
function makeLongRecording(): Uint8Array<ArrayBuffer> {
  const recording = readRecording();
  const sound = recording.subarray(headerBytes);
  const unitBytes = 2 * rate * unitSeconds;
  const wav = new Uint8Array(headerBytes + unitBytes * units);
  wav.set(recording.subarray(0, headerBytes));
  const view = new DataView(wav.buffer);
  view.setUint32(4, wav.length - 8, true);
  view.setUint32(40, wav.length - headerBytes, true);
  for (let unit = 0; unit < units; unit++) wav.set(sound, headerBytes + unit * unitBytes);
  return wav;
}

const startOf = ({ segments }: Caption, word: string, afterMs: number): number =>
  segments
    .flatMap(({ words }) => words)
    .find(({ text, startMs }) => startMs >= afterMs && text.toLowerCase().startsWith(word))?.startMs ?? 0;

/** The memory of a node and of its engine processes. */
async function memoryOf(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const pids = [pid, ...children.trim().split(/\s+/).filter(Boolean).map(Number)];
  const pages = await Promise.all(
    pids.map(async (one) => Number((await readFile(`/proc/${one}/statm`, 'utf8').catch(() => '0 0')).split(' ')[1])),
  );
  return pages.reduce((sum, count) => sum + count * 4_096, 0);
}

test(
  'two hours: a node is killed in the middle; one version, in sync to the end, with constant memory',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'earshot-two-hours-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const secretKey = randomBytes(32);
    const url = pathToFileURL(join(folder, 'files')).href;
    const storage = { url, accessKey: '', secretKey: '' };
    const eventTimes = { leaseSeconds: 5, retrySeconds: 1 };
    const server = await startTestServer({ role: 'server', secretKey, storage, eventTimes });
    onTestFinished(() => server.stop());
    const client = (await server.admin.withKey()).client;
    const start = (name: string) =>
      startNodeProcess({
        EARSHOT_DATA_DIR: join(folder, name),
        EARSHOT_DATABASE_URL: server.databaseUrl,
        EARSHOT_SECRET_KEY: secretKey.toString('base64'),
        EARSHOT_STORAGE_URL: url,
        EARSHOT_MODEL_DIR: testModelFolder,
        EARSHOT_CAPTION_ENGINE: 'fast',
        EARSHOT_LEASE_SECONDS: '5',
        EARSHOT_RETRY_SECONDS: '1',
      });
    const first = await start('first');
    const recorder = await addRecorder(client);
    const reference = await captionOf(client, await recorder.add(readRecording()));
    const offsetMs = startOf(reference, 'amiable', 0);
    expect(offsetMs).toBeGreaterThan(0);

    const clipID = await recorder.add(makeLongRecording());
    const heardUntil = async () => {
      const { runningList } = await client.getCaptionProgress();
      return runningList.find(({ audioClipID }) => audioClipID === clipID)?.heardUntilMs ?? 0;
    };
    const memory: number[] = [];
    await seldom(async () => {
      if (memory.length === 0 && (await heardUntil()) > hourMs / 6) memory.push(await memoryOf(first.pid));
      expect(await heardUntil()).toBeGreaterThan(hourMs);
    });
    memory.push(await memoryOf(first.pid));
    const before = await findCaption(client, clipID);
    await first.killNow();
    await start('second');
    await seldom(async () => expect(await heardUntil()).toBeGreaterThan(before?.heardUntilMs ?? 0));
    // What was heard before is kept.
    const after = await findCaption(client, clipID);
    expect(after?.segments.slice(0, before?.segments.length)).toEqual(before?.segments);
    const versions = () => client.listCaptionVersions({ params: { captionID: clipID } });
    await seldom(async () => expect(await versions()).toHaveLength(1));

    const caption = await captionOf(client, clipID);
    const off = Array.from({ length: units }, (_, unit) => {
      const startMs = unit * unitSeconds * 1_000;
      return Math.abs(startOf(caption, 'amiable', startMs) - startMs - offsetMs);
    });
    process.stdout.write(
      `two hours: error of a word time in the last minute ${off.slice(-2).join(' and ')} ms, largest ${Math.max(...off)} ms; ` +
        `memory ${memory.map((bytes) => Math.round(bytes / 1e6)).join(' and ')} MB\n`,
    );
    expect(Math.max(...off)).toBeLessThan(mostOffMs);
    const count = (text: string) => text.split('amiable').length - 1;
    expect(count(plainWords(caption))).toBe(units * count(plainWords(reference)));
    expect((memory[1] ?? 0) - (memory[0] ?? 0)).toBeLessThan(mostGrowthBytes);
    // The labels, which follow the caption, take minutes.
    await seldom(async () => {
      for (const { eventStatus: status } of await eventsOf(client, recorder.deviceID))
        expect(status).toBe(eventStatus.complete);
    });
    expect(await versions()).toHaveLength(1);
    expect(await server.db`select 1 from caption_runs`).toHaveLength(0);
  },
  longestMs,
);
