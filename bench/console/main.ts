// The console, compared with an empty page in the same browser: the size of the first scripts; a transcript of four
// hours: the time to any place in it, and the longest task of the main thread; a timeline with a hundred thousand clips:
// the time until it is drawn, and how smoothly it pans.
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomBytes } from 'node:crypto';
import { startNode } from '@earshot/server/node';
import { connect } from '@earshot/server/platform/database/connect';
import { connectionOfRunning } from '@earshot/server/platform/database/embedded/postgres';
import { silentLog } from '@earshot/server/testing/log';
import { adminEmail, adminPassword, baseConfig, testNodeOptions } from '@earshot/server/testing/server';
import { createPeople } from '@earshot/server/testing/person';
import { launchBrowser } from '../../tests/browser/browser.ts';
import { sha256, tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { openBench } from '../open-bench.ts';
import { fillInstallation } from '../../demo/large/fill.ts';
import { urlOf } from '../../demo/large/run.ts';
import type { Frames } from './frames.ts';
import { framesWhile } from './frames.ts';
import { listGoals, measureLists } from './lists.ts';
import { measureTranscript, transcriptGoals } from './transcript.ts';

const perCall = 1_000;
const week = 7 * 86_400;

const bench = openBench({
  name: 'console',
  goals: {
    'first scripts, by gzip': { atMost: 70, unit: 'KB', inAnySize: true },
    ...transcriptGoals,
    ...listGoals,
    'frames while panning, as a share of an empty page': { atLeast: 0.9 },
  },
  sizes: {
    usual: {
      clips: 100_000,
      panMs: 3_000,
      rounds: 3,
      transcriptRounds: 5,
      lists: { devices: 2_000, clips: 100_000, presets: 400, events: 5_000, collections: 60, people: 10, keys: 10 },
    },
    small: {
      clips: 2_000,
      panMs: 300,
      rounds: 1,
      transcriptRounds: 1,
      lists: { devices: 200, clips: 1_000, presets: 10, events: 50, collections: 5, people: 2, keys: 2 },
    },
  },
});
const { clips, panMs, rounds, transcriptRounds, lists } = bench.size;

async function measureScripts(): Promise<void> {
  const dist = fileURLToPath(new URL('../../console/dist/', import.meta.url));
  const page = await readFile(join(dist, 'index.html'), 'utf8');
  const known = new Set(await readdir(join(dist, 'assets')));
  const named = [...page.matchAll(/\/assets\/([\w-]+\.js)/g)].map(([, name = '']) => name);
  const names = [...new Set(named)].filter((name) => known.has(`${name}.gz`));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(dist, 'assets', `${name}.gz`))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  bench.judge('first scripts, by gzip', bytes / 1_000);
}

const show = ({ perSecond, p95Ms, longestMs }: Frames): string =>
  `${perSecond.toFixed(1)} frames/s, p95 ${p95Ms.toFixed(1)} ms, longest ${longestMs.toFixed(1)} ms`;

const middle = (frames: readonly Frames[]): Frames =>
  frames.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(frames.length / 2)]!;

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

async function measurePages(url: string): Promise<void> {
  const browser = await launchBrowser();
  try {
    await measureTranscript(browser, url, bench, transcriptRounds);
    await measureTimeline(browser, url);
    await measureLists(browser, url, bench, () => fillLists(url));
  } finally {
    await browser.close();
  }
}

async function measureTimeline(browser: Browser, url: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1_920, height: 1_080 }, baseURL: url });
  await context.request.post('/v1/session', { data: { email: adminEmail, password: adminPassword } });
  const deviceID = await record(url);
  const page = await context.newPage();

  const empty = await context.newPage();
  await page.goto(`/devices/${deviceID}?tab=timeline&span=week`);
  const drawnMs = await page
    .waitForFunction(() => performance.getEntriesByName('timeline drawn')[0]?.startTime)
    .then((handle) => handle.jsonValue());
  await page.locator(`[data-loaded="${clips.toLocaleString('en')}"]`).waitFor({ timeout: 120_000 });
  const wholeMs = await page.evaluate(() => performance.now());
  bench.say(
    `first drawn after ${drawnMs?.toFixed(0)} ms, all ${clips.toLocaleString('en')} clips after ${wholeMs.toFixed(0)} ms`,
  );

  // Alternating, so that load on the machine affects both equally.
  const seen: Record<'empty' | 'far' | 'near' | 'close', Frames[]> = { empty: [], far: [], near: [], close: [] };
  for (let round = 0; round < rounds; round += 1) {
    await empty.bringToFront();
    seen.empty.push(await framesWhile(empty, panMs, 'nothing'));
    await page.bringToFront();
    for (const [name, zooms] of [['far', 1] as const, ['near', 6] as const, ['close', 15] as const]) {
      await page.getByRole('application').focus();
      await page.keyboard.press('0');
      for (let times = 0; times < zooms; times += 1) await page.keyboard.press('+');
      if (name === 'close') await page.getByText('Audio level').waitFor();
      seen[name].push(await framesWhile(page, panMs, '.timeline-stage'));
    }
  }
  const reference = middle(seen.empty);
  bench.say(`an empty page: ${show(reference)}`);
  for (const [name, text] of [
    ['far', 'four days'] as const,
    ['near', 'eight hours'] as const,
    ['close', 'five minutes with the level of the sound'] as const,
  ]) {
    const frames = middle(seen[name]);
    const share = frames.perSecond / reference.perSecond;
    const more = { of: text, details: show(frames) };
    bench.judge('frames while panning, as a share of an empty page', share, more);
  }
}

async function fillLists(url: string): Promise<void> {
  const connection = await connectionOfRunning(dataDir);
  if (!connection) throw new Error('the database does not run');
  const { session } = await createPeople(url).signIn(adminEmail, adminPassword);
  const db = connect(connection, { connections: 1, name: 'bench' });
  const parts = {
    db,
    session,
    password: adminPassword,
    say: (line: string) => bench.say(line),
    url: urlOf(connection),
    counts: lists,
  };
  await fillInstallation(parts);
  await db.end({ timeout: 1 });
}

/** A week of one device without a gap, in clips of six seconds. */
async function record(url: string): Promise<number> {
  const { session: client } = await createPeople(url).signIn(adminEmail, adminPassword);
  const deviceSerial = 'bench';
  const { key = 0 } = await client.createDevice({ body: { deviceSerial, autoCaption: false, timeZone: 'UTC' } });
  const bytes = tinyWav(6);
  const file = { deviceSerial, filename: 'bench.wav', fileSize: bytes.length, sHA256Hash: sha256(bytes) };
  const { key: fileID = 0, signedURL = '' } = await client.createFile({ body: file });
  await fetch(signedURL, { method: 'PUT', body: bytes });
  await client.finishFile({ params: { fileID } });
  const today = Math.floor(Date.now() / 86_400_000) * 86_400;
  const first = today - 6 * 86_400;
  for (let from = 0; from < clips; from += perCall) {
    const body = Array.from({ length: perCall }, (_, index) => {
      const startMs = first * 1_000 + Math.floor(((from + index) * week * 1_000) / clips);
      // The newest clips are available.
      const audioClipStatus = (1 + Math.floor((from + index) / 700)) % 4;
      return {
        startTime: Math.floor(startMs / 1_000),
        startTimeMs: startMs % 1_000,
        clipLengthInSeconds: 6,
        audioClipStatus,
        ...(audioClipStatus === 3 ? { fileID } : {}),
      };
    });
    await client.announceAudioClips({ params: { deviceSerial }, body });
  }
  return key;
}

await measureScripts();
const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'));
const config = { ...baseConfig(dataDir, '', randomBytes(32)), databaseUrl: undefined };
const node = await startNode(testNodeOptions(config, silentLog));
try {
  await measurePages(node.url);
} finally {
  await node.stop();
  await rm(dataDir, { recursive: true, force: true });
}
bench.end();
