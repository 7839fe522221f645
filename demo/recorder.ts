import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientOptions } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import { uploadRecording } from '@earshot/client/upload';
import type { Event } from '@earshot/contract/event';
import { eventStatus } from '@earshot/contract/event-status';
import type { DemoSpeech } from './speech.ts';
import type { KeptRecorder, KeptRecording } from './state.ts';
import type { RecorderStory } from './stories.ts';

interface RecorderParts {
  readonly url: string;
  readonly story: RecorderStory;
  readonly kept: KeptRecorder;
  readonly speech: DemoSpeech;
  readonly save: () => Promise<void>;
  readonly signal: AbortSignal;
}

const agentTypes = ['Audio', 'Transfer', 'Device'] as const;
const mostAtOnce = 500;
const lettersPerSecond = 14;
const retryMs = 5_000;
const healthEveryMs = 60_000;

/** A simulated recorder. It keeps its recordings as sentences, and speaks one when its sound is uploaded. */
export class DemoRecorder {
  readonly story: RecorderStory;
  readonly recordings: KeptRecording[];
  readonly #parts: RecorderParts;
  readonly #options: ClientOptions;
  readonly #client: Client;

  constructor(parts: RecorderParts) {
    const { accessKey, secretKey, recordings } = parts.kept;
    this.story = parts.story;
    this.recordings = recordings;
    this.#parts = parts;
    this.#options = { url: parts.url, credential: { accessKey, secretKey, signed: true } };
    this.#client = createClient(this.#options);
  }

  /** Registers its agents. */
  async connect(): Promise<void> {
    const { signal } = this.#parts;
    const deviceSerial = this.story.serial;
    for (const agentType of agentTypes) {
      const body = { deviceSerial, agentType, agentVersion: '1.4.0', agentIndex: 0, processID: process.pid };
      await this.#client.registerAgent({ body }, { signal });
    }
    await this.#client.reportDeviceReady({ body: { deviceSerial } }, { signal });
  }

  /** Carries out events and reports its health until the signal aborts. */
  async run(): Promise<void> {
    await Promise.all([this.#repeat(() => this.#pollOnce()), this.#repeat(() => this.#reportHealthAndWait())]);
  }

  async #reportHealthAndWait(): Promise<void> {
    const { signal } = this.#parts;
    await this.reportHealth(Date.now());
    await sleep(healthEveryMs, undefined, { signal });
  }

  /** A report as of a moment of the last day; a battery loses charge in the day and is full again in the morning. */
  async reportHealth(atMs: number): Promise<void> {
    const { batteryPercent, place, serial } = this.story;
    const date = new Date(atMs);
    const hour = (date.getHours() + date.getMinutes() / 60 + 18) % 24;
    const wave = Math.sin((2 * Math.PI * (hour - 3)) / 24);
    const isMains = batteryPercent === 100;
    const percent = isMains ? 100 : Math.max(3, Math.min(100, batteryPercent + (12 - hour) * 0.8));
    const health = {
      time: { datetime: atMs },
      battery: { percent: round(percent), status: isMains ? 'charging' : 'discharging' },
      cpu: { temperature: round(44 + 6 * wave + (serial.length % 5)), loadAverage: round(0.3 + 0.1 * wave) },
      disk: { percent: Math.min(89, 22 + 2 * serial.length + Math.round(this.recordings.length / 20)) },
      network: { signalStrength_dBm: -58 - (serial.length % 7) * 3 },
      position: { latitude: place[0], longitude: place[1], accuracy: 8 },
    };
    const body = { deviceSerial: serial, healthJSON: JSON.stringify(health) };
    await this.#client.createDeviceHealth({ body }, { signal: this.#parts.signal });
  }

  /** Announces the recordings that the server does not know. */
  async announce(): Promise<void> {
    const { signal, save } = this.#parts;
    const waiting = this.recordings.filter(({ clipID }) => clipID === undefined).slice(0, mostAtOnce);
    if (waiting.length === 0) return;
    const body = waiting.map(({ startMs, sentence }) => ({
      startTime: Math.floor(startMs / 1_000),
      startTimeMs: startMs % 1_000,
      clipLengthInSeconds: this.#sentence(sentence).length / lettersPerSecond,
      localFilePath: `/recordings/${new Date(startMs).toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}.wav`,
    }));
    const params = { deviceSerial: this.story.serial };
    const clips = await this.#client.announceAudioClips({ params, body }, { signal });
    for (const [at, recording] of waiting.entries()) recording.clipID = clips[at]?.key ?? 0;
    await save();
  }

  /** Speaks a recording and uploads it. */
  async upload(recording: KeptRecording): Promise<void> {
    const { speech, signal, save } = this.#parts;
    const sound = new Blob([await speech.speak(this.story, this.#sentence(recording.sentence))]);
    const startDate = new Date(recording.startMs).toISOString();
    const metadata = { deviceSerial: this.story.serial, startDate, filename: `${recording.startMs}.wav` };
    await uploadRecording(this.#options, { sound, metadata }, { signal });
    recording.isUploaded = true;
    await save();
  }

  #sentence(at: number): string {
    return this.story.sentences[at % this.story.sentences.length] ?? '';
  }

  async #pollOnce(): Promise<void> {
    const { signal } = this.#parts;
    const deviceSerial = this.story.serial;
    const [pending] = await this.#client.longPollEvents({ body: { deviceSerial } }, { signal });
    if (pending?.agentType === undefined) return;
    const headers = { 'x-take-id': randomUUID() };
    const body = { deviceSerial, agentType: pending.agentType, agentIndex: 0, processID: process.pid };
    const event = (await this.#client.dequeueEvent({ headers, body }, { signal })) as Event | undefined;
    if (event?.key === undefined) return;
    const report = (given: { eventStatus: number; result?: string; percentComplete?: number }) =>
      this.#client.reportEvent(
        { params: { eventID: event.key ?? 0 }, headers, body: { processID: process.pid, ...given } },
        { signal },
      );
    await report({ eventStatus: eventStatus.processing, percentComplete: 0 });
    try {
      const result = await this.#carryOut(event, pending.eventType ?? '', (percentComplete) =>
        report({ eventStatus: eventStatus.processing, percentComplete }),
      );
      await report({ eventStatus: eventStatus.complete, percentComplete: 100, result });
    } catch (error) {
      signal.throwIfAborted();
      await report({ eventStatus: eventStatus.error, result: (error as Error).message });
    }
  }

  async #carryOut(event: Event, type: string, progress: (percent: number) => Promise<unknown>): Promise<string> {
    if (type === 'Upload_audio_clips') {
      const { audioClips = [] } = JSON.parse(event.eventParameters ?? '{}') as { audioClips?: number[] };
      for (const [at, wanted] of audioClips.entries()) {
        const recording = this.recordings.find(({ clipID }) => clipID === wanted);
        if (!recording) throw new Error(`Clip ${wanted} is not on this device.`);
        await this.upload(recording);
        await progress(Math.round((100 * (at + 1)) / audioClips.length));
      }
      return `${audioClips.length} uploaded.`;
    }
    if (type === 'Report_diagnostics') return `Recording. ${this.recordings.length} recordings, sound card in order.`;
    if (type === 'Start_recording') throw new Error('The sound card does not answer. Check its cable.');
    return 'Done.';
  }

  /** Repeats a step; after an error it waits, as devices do. */
  async #repeat(step: () => Promise<void>): Promise<void> {
    const { signal } = this.#parts;
    while (!signal.aborted) {
      await step().catch(() => sleep(retryMs, undefined, { signal }).catch(() => {}));
    }
  }
}

const round = (value: number): number => Math.round(value * 10) / 10;
