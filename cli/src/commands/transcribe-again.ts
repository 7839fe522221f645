import { longestClipList } from '@earshot/contract/audio-clip';
import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Client } from '@earshot/client/client';
import type { Device } from '@earshot/contract/device';
import { defineCommand } from '../command.ts';
import { countOf } from '../count-of.ts';
import { deviceByWord } from '../devices.ts';
import { readPages } from '../listing.ts';
import { Failure } from '../failure.ts';
import type { Output } from '../output.ts';
import { rangeBody, rangeOptions } from '../range.ts';
import { showDuration } from '../time.ts';

/** Seconds of sound for each second of one processor, as measured on clean speech (docs/listening-bench.md). */
const soundPerProcessorSecond: Readonly<Record<string, number>> = { fast: 5, accurate: 2.2 };

export const transcribeAgainCommand = defineCommand({
  name: 'transcribe-again',
  summary: 'Transcribe recordings once more, for example with another engine or a new vocabulary',
  description:
    'Without --start it only says how much it would be. What people wrote stays as it is: the new result is a version ' +
    'beside it. “earshot events DEVICE” shows the progress, and “earshot events cancel” ends it.',
  operands: [{ name: 'DEVICE', isRepeated: true, completes: 'device', help: 'their recordings' }],
  options: {
    ...rangeOptions,
    engine: {
      kind: 'text',
      value: 'ENGINE',
      help: 'fast, accurate or a configured one; if missing, that of the device',
    },
    start: { kind: 'flag', help: 'begin; if missing, nothing is changed' },
  },
  examples: [
    { line: 'earshot transcribe-again recorder-17 --since 7d', text: 'how much sound the last week is' },
    { line: 'earshot transcribe-again recorder-17 --since 7d --engine accurate --start', text: 'begin' },
  ],
  async run({ options, operands, output, json, connect }) {
    const { client } = await connect();
    const range = rangeBody(options);
    let total = 0;
    for (const word of new Set(operands)) {
      const device = await deviceByWord(client, word);
      const amount = await countSound(client, device.key, range);
      if (!json) sayAmount(output, device.deviceName || word, amount, options.engine);
      if (options.start) await order(client, serialOf(device), amount.clips, options.engine);
      total += amount.clips.length;
      if (json) {
        const { clips, seconds } = amount;
        output.record({ deviceID: device.key, clips: clips.length, seconds, isStarted: options.start });
      }
    }
    if (!json) output.note(outcomeOf(total, options.start));
  },
});

function outcomeOf(total: number, isStarted: boolean): string {
  if (total === 0) return 'There is no sound to transcribe.';
  return isStarted ? 'It is in the queue.' : 'Nothing was changed. Add --start to begin.';
}

function serialOf({ key, deviceSerial }: Device): string {
  if (deviceSerial) return deviceSerial;
  throw new Failure(`Device ${key} has no serial, by which captions are requested. Give it one first.`);
}

interface Amount {
  readonly clips: readonly number[];
  readonly seconds: number;
}

async function countSound(client: Client, deviceID: number, range: object): Promise<Amount> {
  const body = { deviceIDList: [deviceID], audioClipStatus: audioClipStatus.available, ...range };
  const clips: number[] = [];
  let seconds = 0;
  const pages = readPages<PagedAudioClip>(Infinity, (page) => client.listAudioClipPage({ body: { ...body, ...page } }));
  for await (const page of pages) {
    for (const { key, clipLengthInSeconds = 0 } of page) {
      if (key === undefined) continue;
      clips.push(key);
      seconds += clipLengthInSeconds;
    }
  }
  return { clips, seconds };
}

function sayAmount(output: Output, device: string, { clips, seconds }: Amount, engine: string | undefined): void {
  const amount = `${device}: ${countOf(clips.length, 'recording')}, ${showDuration(seconds * 1_000)} of sound`;
  const times = Object.entries(soundPerProcessorSecond)
    .filter(([name]) => engine === undefined || engine === name)
    .map(([name, speed]) => `${name} ${showDuration((seconds / speed) * 1_000)}`);
  output.say(times.length === 0 ? amount : `${amount}; processor time about: ${times.join(', ')}`);
}

/** By the list that was counted, so that nothing else is transcribed. */
async function order(
  client: Client,
  deviceSerial: string,
  clips: readonly number[],
  engine: string | undefined,
): Promise<void> {
  for (let at = 0; at < clips.length; at += longestClipList) {
    await client.captionAudio({
      params: { deviceSerial },
      body: {
        audioClips: clips.slice(at, at + longestClipList),
        again: true,
        ...(engine === undefined ? {} : { engine }),
      },
    });
  }
}
