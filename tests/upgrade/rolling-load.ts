import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientOptions } from '@earshot/client/client';
import { uploadRecording } from '@earshot/client/upload';
import { takeHeader } from '@earshot/server/features/event/tests/fleet';
import { tinyWav } from '@earshot/server/features/file/tests/sound';

/** What the load did, as its clients know it. */
export interface Account {
  readonly enqueued: number[];
  readonly completed: number[];
  /** The starts of all clips, in seconds. */
  readonly announced: number[];
  /** The start and the bytes of each uploaded clip. */
  readonly sounds: Map<number, { readonly startTime: number; readonly bytes: Uint8Array }>;
  /** The clips of each event that joins some. */
  readonly joins: Map<number, readonly number[]>;
  readonly failures: unknown[];
}

export interface Load {
  readonly options: ClientOptions;
  readonly client: Client;
  readonly devices: readonly { readonly deviceSerial: string; readonly deviceID: number }[];
  readonly account: Account;
  readonly signal: AbortSignal;
}

export const newAccount = (): Account => ({
  enqueued: [],
  completed: [],
  announced: [],
  sounds: new Map(),
  joins: new Map(),
  failures: [],
});

/** Repeats the work until the signal; whatever it throws is a failed request. */
async function repeat({ signal, account: { failures } }: Load, pauseMs: number, work: () => Promise<unknown>) {
  while (!signal.aborted) {
    await work().catch((error: unknown) => void failures.push(error));
    await sleep(pauseMs);
  }
}

export async function takeAndComplete(client: Client, deviceSerial: string, { completed }: Account): Promise<boolean> {
  const headers = takeHeader(randomUUID());
  const event = await client.dequeueEvent({ headers, body: { deviceSerial, agentType: 'Device', processID: 1 } });
  if (event?.key === undefined) return false;
  await client.reportEvent({ params: { eventID: event.key }, headers, body: { eventStatus: 4 } });
  completed.push(event.key);
  return true;
}

/** Bytes that are sent over two seconds, again from the start for each request. */
class SlowBlob extends Blob {
  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const pieceSize = Math.ceil(this.size / 20);
    let at = 0;
    const next = () => this.slice(at, (at += pieceSize)).arrayBuffer();
    return new ReadableStream({
      pull: async (controller) => {
        if (at >= this.size) return controller.close();
        await sleep(100);
        controller.enqueue(new Uint8Array(await next()));
      },
    });
  }
}

const pieceBytes = 20_000;

/** The work of one device: it takes events, announces clips, uploads sound in two ways, and has clips joined. */
function runDevice(load: Load, index: number, nextStart: () => number): Promise<unknown>[] {
  const { client, options, account, devices } = load;
  const { deviceSerial, deviceID } = devices[index] ?? { deviceSerial: '', deviceID: 0 };
  const uploaded: number[] = [];
  let tone = 300 + 100 * index;
  const makeSound = () => tinyWav(2 + (tone % 7) / 2, (tone += 1));
  const announceOne = async (hasSound = false) => {
    const startTime = nextStart();
    const [clip] = await client.announceAudioClips({
      params: { deviceSerial },
      body: [hasSound ? { startTime } : { startTime, clipLengthInSeconds: startTime % 50 }],
    });
    account.announced.push(startTime);
    return { startTime, audioClipID: clip?.key ?? 0 };
  };
  const keep = (clip: number, startTime: number, bytes: Uint8Array) => {
    account.sounds.set(clip, { startTime, bytes });
    uploaded.push(clip);
  };
  const putSound = async (isSlow: boolean) => {
    const { audioClipID, startTime } = await announceOne(true);
    const sound = makeSound();
    await client.putAudioClipContent({ params: { audioClipID }, body: isSlow ? new SlowBlob([sound]) : sound });
    keep(audioClipID, startTime, sound);
  };
  const sendPieces = async () => {
    const startTime = nextStart();
    const sound = makeSound();
    const metadata = { deviceID: String(deviceID), startDate: new Date(startTime * 1_000).toISOString() };
    // A piece that failed is a failed request, although the client repeats it.
    const onRetry = (error: unknown) => void account.failures.push(error);
    const recording = { sound: new Blob([sound]), metadata: { ...metadata, filename: `${startTime}.wav` } };
    keep(await uploadRecording(options, recording, { pieceBytes, onRetry }), startTime, sound);
    account.announced.push(startTime);
  };
  const join = async () => {
    const clips = uploaded.splice(0, 2);
    if (clips.length < 2) return void uploaded.unshift(...clips);
    const event = await client.concatenateAudioClips({
      query: { usevrs: true },
      body: { deviceID, audioClips: clips.map((key) => ({ key })), gaps: 'close' },
    });
    account.joins.set(event.key ?? 0, clips);
  };
  return [
    repeat(load, 50, async () => {
      const event = await client.createEvent({ body: { deviceID, eventType: 'Reboot' } });
      account.enqueued.push(event.key ?? 0);
    }),
    repeat(load, 50, () => takeAndComplete(client, deviceSerial, account)),
    repeat(load, 50, () => announceOne()),
    repeat(load, 20, () => client.longPollEvents({ body: { deviceSerial } })),
    repeat(load, 200, () => putSound(false)),
    repeat(load, 200, () => putSound(true)),
    repeat(load, 300, sendPieces),
    // The worker joins one at a time for one owner.
    repeat(load, 3_000, join),
  ];
}

export function startLoad(load: Load): Promise<unknown> {
  let startTime = 1_790_000_000;
  const nextStart = () => (startTime += 60);
  return Promise.all(load.devices.flatMap((_, index) => runDevice(load, index, nextStart)));
}
