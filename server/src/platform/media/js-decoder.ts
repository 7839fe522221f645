// A separate process that decodes one untrusted file for js-engine.ts and exits.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { argv, stdout } from 'node:process';

import { readAdtsHeader } from './adts-frame.ts';
import type { JsAnswer, JsTask } from './js-protocol.ts';
import { Resampler } from './js-resampler.ts';
import { readSoundChunks } from './js-source.ts';
import { readMp3Header } from './mp3-frame.ts';
import { readHead } from './sniff.ts';
import type { SampleFormat, SoundFile } from './sound.ts';
import { bytesPerSample, longestSoundMs } from './sound.ts';
import { readWavLayout } from './wav-header.ts';

const tailBytes = 1024 ** 2;

/** Facts that the decoded samples do not show: the decoder returns two equal channels as one. */
async function readHeader(file: SoundFile): Promise<{ codec: string; channels?: number; bitDepth?: number }> {
  const head = await readHead(file.path, file.soundAt);
  const has = (...names: string[]): string | undefined => names.find((name) => head.includes(name));
  switch (file.container) {
    case 'wav':
      return (await readWavLayout(file.path)) ?? { codec: 'adpcm' };
    case 'flac':
      return { codec: 'flac', bitDepth: (((head[20]! & 1) << 4) | (head[21]! >> 4)) + 1 };
    case 'mp3':
      return { codec: 'mp3', channels: readMp3Header(head)!.channels };
    case 'adts':
      return { codec: 'aac', channels: readAdtsHeader(head)!.channels };
    case 'ogg':
      return { codec: has('OpusHead') === undefined ? 'vorbis' : 'opus' };
    case 'webm':
      return { codec: has('A_VORBIS') === undefined ? 'opus' : 'vorbis' };
    case 'mp4':
      return { codec: 'aac', channels: await findMp4Channels(file.path, head) };
  }
}

/** From the description of the track, at the beginning or end of the file. */
async function findMp4Channels(path: string, head: Buffer): Promise<number> {
  const { size } = await stat(path);
  const tail = await readHead(path, Math.max(0, size - tailBytes), tailBytes);
  for (const bytes of [head, tail]) {
    const at = bytes.indexOf('esds');
    if (at !== -1) return readChannels(bytes.subarray(at + 8));
  }
  return 0;
}

/** Nested descriptors, each with a length in bytes of seven bits; tag 5 contains the codec's configuration. */
function readChannels(descriptors: Buffer): number {
  const ownBytes: Readonly<Record<number, number>> = { 3: 3, 4: 13 };
  for (let at = 0; at + 8 < descriptors.length;) {
    const kind = descriptors[at]!;
    do at += 1;
    while (descriptors[at]! >= 0x80);
    at += 1;
    if (kind === 5) return (descriptors[at + 1]! >> 3) & 15;
    const skipped = ownBytes[kind];
    if (skipped === undefined) return 0;
    at += skipped;
  }
  return 0;
}

async function describe(file: SoundFile, isWhole: boolean): Promise<JsAnswer> {
  const header = await readHeader(file);
  let channels = header.channels ?? 0;
  let frames = 0;
  let rate = 0;
  for await (const { channelData, sampleRate } of readSoundChunks(file, header.codec)) {
    rate ||= sampleRate;
    channels = Math.max(channels, channelData.length);
    frames += channelData[0]!.length;
    if (!isWhole) break;
  }
  if (rate === 0) throw new Error('no sound');
  const { codec, bitDepth = 0 } = header;
  return { shape: { container: file.container, codec, sampleRate: rate, channels, bitDepth }, seconds: frames / rate };
}

async function decodeTo({ file, request, tapChannels }: Extract<JsTask, { kind: 'decode' }>): Promise<void> {
  const { sampleRate, channels, sampleFormat, fromFrame } = request;
  const toFrame = Math.min(request.toFrame, (longestSoundMs / 1000) * sampleRate);
  const { codec } = await readHeader(file);
  let resamplers: Resampler[] | undefined;
  let at = 0;
  const write = async (sound: Float32Array[]): Promise<void> => {
    const frames = sound[0]!.length;
    const [from, to] = [Math.max(0, fromFrame - at), Math.min(frames, toFrame - at)];
    at += frames;
    if (from >= to) return;
    const isRoom = stdout.write(pack(sound, from, to, sampleFormat));
    if (!isRoom) await once(stdout, 'drain');
  };
  const tap = tapChannels === undefined ? undefined : createWriteStream('', { fd: 3 });
  for await (const chunk of readSoundChunks(file, codec)) {
    if (tap && !tap.write(packAll(chunk.channelData, tapChannels!))) await once(tap, 'drain');
    const mixed = mix(chunk.channelData, channels);
    if (chunk.sampleRate === sampleRate) await write(mixed);
    else {
      resamplers ??= mixed.map(() => new Resampler(chunk.sampleRate, sampleRate));
      await write(mixed.map((samples, index) => resamplers![index]!.push(samples)));
    }
    if (at >= toFrame) break;
  }
  if (resamplers) await write(resamplers.map((resampler) => resampler.finish()));
  tap?.end();
}

/** The decoder returns equal channels as one. */
function packAll(channelData: readonly Float32Array[], channels: number): Buffer {
  const sound = Array.from({ length: channels }, (_, index) => channelData[index] ?? channelData[0]!);
  return pack(sound, 0, sound[0]!.length, 'f32');
}

function mix(channelData: readonly Float32Array[], channels: 1 | 2): Float32Array[] {
  const [left, right = left] = channelData as [Float32Array, Float32Array?];
  if (channels === 2) return [left, right];
  if (channelData.length === 1) return [left];
  const count = channelData.length;
  return [left.map((_, index) => channelData.reduce((sum, channel) => sum + channel[index]!, 0) / count)];
}

function pack(sound: readonly Float32Array[], from: number, to: number, format: SampleFormat): Buffer {
  const size = bytesPerSample[format];
  const bytes = Buffer.alloc((to - from) * sound.length * size);
  const bound = (value: number, most: number): number =>
    Math.max(-most, Math.min(most - 1, Math.round(value * most) || 0));
  let at = 0;
  for (let index = from; index < to; index += 1) {
    for (const channel of sound) {
      const value = channel[index]!;
      if (format === 's16') bytes.writeInt16LE(bound(value, 2 ** 15), at);
      else if (format === 's32') bytes.writeInt32LE(bound(value, 2 ** 31), at);
      else bytes.writeFloatLE(value, at);
      at += size;
    }
  }
  return bytes;
}

const task = JSON.parse(argv[2]!) as JsTask;
if (task.kind === 'decode') await decodeTo(task);
else stdout.write(JSON.stringify(await describe(task.file, task.kind === 'measure')));
