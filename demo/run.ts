import { mkdir } from 'node:fs/promises';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import { createRandom, planStarts } from './day.ts';
import { createDemoNews } from './news.ts';
import { sendRadioCall } from './radio.ts';
import { DemoRecorder } from './recorder.ts';
import { provideServer, stopDemoServer } from './server.ts';
import { addRecorders, openDemoSession } from './set-up.ts';
import { createSpeech } from './speech.ts';
import type { DemoPlace, DemoState } from './state.ts';
import { createSaver, createDemoState, readDemoState } from './state.ts';
import { radioStories, recorderStories } from './stories.ts';

interface DemoOptions {
  readonly place: DemoPlace;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;
const reportsApartMs = 30 * minuteMs;
/** How many recordings of each device have sound at once; the others stay on the devices until somebody requests them. */
const firstUploads = 3;
const firstCalls = 4;
const callsApartMs = 11 * minuteMs;
const leastPauseMs = 8_000;
const mostPauseMs = 15_000;
const mostWaiting = 5;

/** Starts what is missing, tells the last day, and goes on until the signal aborts. */
export async function runDemo({ place, say, signal }: DemoOptions): Promise<void> {
  setMaxListeners(0, signal);
  await mkdir(place.folder, { recursive: true });
  const state = (await readDemoState(place)) ?? createDemoState();
  const isNew = state.plannedUntilMs === undefined;
  const save = createSaver(place, state);
  state.demoPid = process.pid;
  await save();
  say('Starting the server; the first start builds it, which takes some seconds …');
  const server = await provideServer(place, state);
  try {
    state.url = server.url;
    state.serverPid = server.pid;
    await save();
    say(`\n  Open     ${server.url}\n  E-mail   ${state.email}\n  Password ${state.password}\n`);
    const session = createClient({ url: server.url, fetch: await openDemoSession(server.url, state) });
    const random = createRandom(Date.now());
    const speech = createSpeech(random);
    await addRecorders(session, state, save);
    const recorders = recorderStories.map(
      (story) =>
        new DemoRecorder({ url: server.url, story, kept: state.recorders[story.serial]!, speech, save, signal }),
    );
    const news = createDemoNews({ session, say, signal });
    const radio = { url: server.url, uploadKey: state.uploadKey ?? '', speech, signal };
    const speaking = recorders.filter(({ story }) => !story.isSilent);
    const running: Promise<unknown>[] = [];
    await tellTheDay({ recorders, state, save, random });
    running.push(...speaking.map((recorder) => recorder.run()), news.run());
    if (isNew) running.push(unlessStopped(tellHealth(recorders)), unlessStopped(sendFirstEvents(session, state)));
    await speakFirst(recorders, radio, isNew, signal);
    if (isNew) say('The recordings of today are uploaded; new ones follow every few seconds. Press Ctrl-C to stop.');
    else say('The fleet goes on; new recordings follow every few seconds. Press Ctrl-C to stop.');
    await keepSpeaking({ session, speaking, radio, state, save, random, signal });
    await Promise.all(running);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    say('\nStopping the server …');
    await stopDemoServer(server);
    delete state.demoPid;
    delete state.serverPid;
    await save();
    say('Stopped. `npm run demo` continues, `npm run demo -- clear` removes all that it made.');
  }
}

/** The demo goes on without a part that failed. */
const unlessStopped = (part: Promise<unknown>): Promise<unknown> => part.catch(() => {});

interface DayParts {
  readonly recorders: readonly DemoRecorder[];
  readonly state: DemoState;
  readonly save: () => Promise<void>;
  readonly random: () => number;
}

/** Recordings since the last run, at most of a day: the devices announce them as after a day without a network. */
async function tellTheDay({ recorders, state, save, random }: DayParts): Promise<void> {
  const nowMs = Date.now();
  const fromMs = Math.max(state.plannedUntilMs ?? 0, nowMs - dayMs);
  for (const recorder of recorders) {
    for (const startMs of planStarts(fromMs, nowMs - minuteMs, random)) {
      recorder.recordings.push({ startMs, sentence: Math.floor(random() * recorder.story.sentences.length) });
    }
    await recorder.connect();
    await recorder.announce();
  }
  state.plannedUntilMs = nowMs;
  await save();
}

/** Health reports of the last day, the newest last. */
async function tellHealth(recorders: readonly DemoRecorder[]): Promise<void> {
  const nowMs = Date.now();
  for (let atMs = nowMs - dayMs; atMs < nowMs; atMs += reportsApartMs) {
    for (const recorder of recorders) await recorder.reportHealth(atMs);
  }
}

/** Work that people have sent to the devices: done, and failed on one device. */
async function sendFirstEvents(session: Client, { recorders }: DemoState): Promise<void> {
  const send = (serial: string, eventType: string) =>
    session.createEvent({ body: { deviceID: recorders[serial]?.deviceID ?? 0, eventType } });
  await send('demo-workshop', 'Start_recording');
  for (const serial of ['demo-north-gate', 'demo-ferry-pier', 'demo-clinic-door']) {
    await send(serial, 'Report_diagnostics');
  }
}

type Radio = Parameters<typeof sendRadioCall>[0];

/** The newest recordings of every device first, one of each in turn, so that the first words are found soon. */
async function speakFirst(
  recorders: readonly DemoRecorder[],
  radio: Radio,
  isNew: boolean,
  signal: AbortSignal,
): Promise<void> {
  const nowMs = Date.now();
  for (let round = 0; round < Math.max(firstUploads, isNew ? firstCalls : 0); round += 1) {
    for (const recorder of recorders) {
      const recording = recorder.recordings.at(-1 - round);
      if (round < firstUploads && recording && !recording.isUploaded && !signal.aborted)
        await recorder.upload(recording);
    }
    for (const [at, story] of radioStories.entries()) {
      const talkgroup = story.talkgroups[round % story.talkgroups.length];
      if (!isNew || !talkgroup || signal.aborted) continue;
      await sendRadioCall(radio, story, talkgroup, round, nowMs - round * callsApartMs - at * minuteMs);
    }
  }
}

interface DemoParts {
  readonly session: Client;
  readonly speaking: readonly DemoRecorder[];
  readonly radio: Radio;
  readonly state: DemoState;
  readonly save: () => Promise<void>;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** Every few seconds somebody speaks. */
async function keepSpeaking(parts: DemoParts): Promise<void> {
  const { random, signal } = parts;
  while (!signal.aborted) {
    await sleep(leastPauseMs + random() * (mostPauseMs - leastPauseMs), undefined, { signal });
    await sayOne(parts).catch((error: unknown) => {
      // A failed connection or a busy server: somebody else speaks next.
      if (signal.aborted) throw error;
    });
  }
}

async function sayOne({ session, speaking, radio, state, save, random, signal }: DemoParts): Promise<void> {
  const choose = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  // On a slow machine, what was said is transcribed before more is said.
  const { waitingCount } = await session.getCaptionProgress({}, { signal });
  if (waitingCount > mostWaiting) return;
  const startMs = Date.now() - 6_000;
  if (random() < 0.35) {
    const story = choose(radioStories);
    const talkgroup = choose(story.talkgroups);
    await sendRadioCall(radio, story, talkgroup, Math.floor(random() * talkgroup.sentences.length), startMs);
    return;
  }
  const recorder = choose(speaking);
  const recording = { startMs, sentence: Math.floor(random() * recorder.story.sentences.length) };
  recorder.recordings.push(recording);
  await recorder.announce();
  await recorder.upload(recording);
  state.plannedUntilMs = Date.now();
  await save();
}
