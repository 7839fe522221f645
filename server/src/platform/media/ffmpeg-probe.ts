import { stat } from 'node:fs/promises';

import { Child } from './child.ts';
import type { KnownShape } from './engine.ts';
import { probeInput, quiet } from './ffmpeg-arguments.ts';
import { analysisLimits, tooLong } from './limits.ts';
import { factsOfSound, readPlainWav } from './plain-wav.ts';
import { readHead } from './sniff.ts';
import type { SoundFacts, SoundFile } from './sound.ts';
import { longestSoundMs } from './sound.ts';

/** With the fields that are needed to find the position of a sample among the packets. */
export interface ProbedShape extends KnownShape {
  /** Samples that the decoder drops at the beginning. */
  readonly leadSamples: number;
}

export interface ProbedFacts extends SoundFacts, ProbedShape {
  /** The duration, not rounded. */
  readonly seconds: number;
}

interface Packets {
  readonly stream: Readonly<Record<string, string>>;
  readonly first: { readonly ticks: number; readonly skipped: number };
  /** In the time unit of the stream. */
  readonly sumTicks: number;
  readonly lastTicks: number;
  /** In samples. */
  readonly sumDiscarded: number;
  readonly sumBytes: number;
}

/** Reads the beginning of a file. */
export async function inspectFile(
  ffprobe: string,
  file: SoundFile,
  signal?: AbortSignal,
): Promise<ProbedShape | undefined> {
  const wav = await readPlainWav(file, signal);
  if (wav) return wav.seconds > 0 ? { ...wav.shape, leadSamples: 0 } : undefined;
  const packets = await readPackets(ffprobe, file, ['-read_intervals', '%+#1'], signal);
  return packets && shapeOf(file, packets);
}

/**
 * Reads every packet without decoding it, because headers only estimate the length (MP3, ADTS), omit it (WebM of a
 * browser), or count sound that is missing from the file.
 */
export async function probeFile(
  ffprobe: string,
  file: SoundFile,
  signal?: AbortSignal,
): Promise<ProbedFacts | undefined> {
  const wav = await readPlainWav(file, signal);
  if (wav) return factsOf({ ...wav.shape, leadSamples: 0 }, wav.seconds, wav.dataBytes);
  const packets = await readPackets(ffprobe, file, [], signal);
  const shape = packets && (await addOpusLead(file, shapeOf(file, packets)));
  if (!packets || !shape) return undefined;
  return factsOf(shape, countSeconds(file, shape, packets), packets.sumBytes || (await stat(file.path)).size);
}

function factsOf(shape: ProbedShape, seconds: number, bytes: number): ProbedFacts | undefined {
  const facts = factsOfSound(shape, seconds, bytes);
  return facts && { ...facts, seconds };
}

function shapeOf({ container }: SoundFile, { stream, first }: Packets): ProbedShape | undefined {
  const { codec_name: name, profile, sample_rate: rate, channels } = stream;
  const sampleRate = Number(rate);
  if (name === undefined || !(sampleRate > 0) || !(Number(channels) > 0)) return undefined;
  const isPlainAac = name === 'aac' && (profile === 'LC' || profile === 'unknown');
  const bits = Number(stream['bits_per_raw_sample']) || Number(stream['bits_per_sample']) || 0;
  const tableSeconds = container === 'mp4' ? Number(stream['duration']) : Number.NaN;
  return {
    container,
    codec: name === 'aac' && !isPlainAac ? 'aac_he' : name,
    sampleRate,
    channels: Number(channels),
    bitDepth: name === 'flac' || name.startsWith('pcm_') ? bits : 0,
    leadSamples: first.skipped,
    tableSeconds: tableSeconds > 0 ? tableSeconds : undefined,
  };
}

/**
 * ffprobe gives the delay of Opus in WebM only in milliseconds, and the rounding errors would add up over many clips.
 */
async function addOpusLead(file: SoundFile, shape: ProbedShape | undefined): Promise<ProbedShape | undefined> {
  if (!shape || file.container !== 'webm' || shape.codec !== 'opus') return shape;
  const head = await readHead(file.path);
  const at = head.indexOf('OpusHead');
  return at === -1 || at + 12 > head.length ? shape : { ...shape, leadSamples: head.readUInt16LE(at + 10) };
}

/** Encoders start with a delay and pad their last packet; formats describe this in different ways. */
function countSeconds({ container }: SoundFile, shape: ProbedShape, packets: Packets): number {
  const [numerator = 0, denominator = 1] = (packets.stream['time_base'] ?? '0/1').split('/').map(Number);
  const seconds = (ticks: number): number => (ticks * numerator) / denominator;
  const all = seconds(packets.sumTicks);
  const lead = shape.leadSamples / shape.sampleRate;
  const discarded = packets.sumDiscarded / shape.sampleRate;
  switch (container) {
    case 'mp3':
    case 'webm':
      return all - lead - discarded;
    case 'ogg':
      // The duration of the last packet is already shortened. The first packet of Vorbis produces no samples.
      return all - (shape.codec === 'vorbis' ? seconds(packets.first.ticks) : lead);
    case 'mp4':
      return all - lead;
    case 'flac':
      // A truncated file ends in an incomplete packet that no decoder plays.
      return all < Number(packets.stream['duration']) - 0.001 ? all - seconds(packets.lastTicks) : all;
    case 'adts':
    case 'wav':
      return all;
  }
}

const fields = [
  'stream=codec_name,profile,sample_rate,channels,bits_per_raw_sample,bits_per_sample,time_base,duration',
  'packet=duration,duration_time,size',
  'packet_side_data=skip_samples,discard_padding',
].join(':');

/** Undefined if the program finds nothing that it can read. */
async function readPackets(
  ffprobe: string,
  file: SoundFile,
  scope: readonly string[],
  signal?: AbortSignal,
): Promise<Packets | undefined> {
  const format = ['-select_streams', 'a:0', '-show_entries', fields, '-of', 'compact=p=0'];
  const args = [...quiet, ...format, ...scope, ...probeInput(file)];
  const child = new Child({ program: ffprobe, args, signal, limits: await analysisLimits(file) });
  let seconds = 0;
  const packets = {
    stream: {},
    first: undefined as Packets['first'] | undefined,
    sumTicks: 0,
    lastTicks: 0,
    sumDiscarded: 0,
    sumBytes: 0,
  };
  try {
    for await (const line of lines(child.output())) {
      if (line.startsWith('codec_name=')) packets.stream = readPairs(line);
      const [, duration, durationTime, size, rest] = packetLine.exec(line) ?? [];
      if (size === undefined) continue;
      const sideData = rest === undefined ? {} : readPairs(rest);
      const ticks = Number(duration) || 0;
      packets.first ??= { ticks, skipped: Number(sideData['skip_samples'] ?? 0) };
      packets.sumTicks += ticks;
      packets.lastTicks = ticks;
      packets.sumDiscarded += Number(sideData['discard_padding'] ?? 0);
      packets.sumBytes += Number(size);
      seconds += Number(durationTime) || 0;
      if (seconds * 1000 > longestSoundMs) break;
    }
  } catch (error) {
    if (!child.hasExitCode) throw error;
  }
  if (seconds * 1000 > longestSoundMs) throw tooLong();
  const { first } = packets;
  return first && { ...packets, first };
}

const packetLine = /^duration=([^|]*)\|duration_time=([^|]*)\|size=(\d+)(?:\|(.*))?$/;

function readPairs(line: string): Record<string, string> {
  return Object.fromEntries(line.split('|').map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)]));
}

async function* lines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + chunk.toString('latin1')).split('\n');
    rest = parts.pop()!;
    yield* parts;
  }
  yield rest;
}
