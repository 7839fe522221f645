import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { EventFailure } from '../work.ts';
import type { PlacedSpan } from './spans.ts';
import { placeSpans, planSpans } from './spans.ts';

export const joinFormats = ['same', 'wav', 'flac', 'mp3', 'opus'] as const;
export type JoinedFormat = (typeof joinFormats)[number];

export interface SoundPiece {
  readonly path: string;
  readonly startMs: number;
  /** Undefined if it was not announced; then the file tells it. */
  readonly durationMs: number | undefined;
}

export interface JoinOptions {
  readonly pieces: readonly SoundPiece[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly gaps: 'silence' | 'close';
  readonly format: JoinedFormat;
  readonly target: string;
  readonly onProgress: (percent: number) => void;
  readonly signal: AbortSignal;
}

export interface JoinedSound {
  readonly format: Exclude<JoinedFormat, 'same'>;
  readonly contentType: string;
  readonly durationMs: number;
  readonly isReencoded: boolean;
}

const encodings = {
  wav: { contentType: 'audio/wav', options: (bits: number) => ['-c:a', `pcm_s${bits}le`, '-bitexact', '-f', 'wav'] },
  flac: { contentType: 'audio/flac', options: () => ['-c:a', 'flac', '-f', 'flac'] },
  mp3: { contentType: 'audio/mpeg', options: () => ['-c:a', 'libmp3lame', '-q:a', '2', '-f', 'mp3'] },
  opus: { contentType: 'audio/ogg', options: () => ['-c:a', 'libopus', '-b:a', '64k', '-f', 'ogg'] },
} as const;

/** Joins recordings to one file. Throws an EventFailure that names the recording that cannot be read. */
export async function joinSound(options: JoinOptions): Promise<JoinedSound> {
  const { pieces, gaps, target, onProgress, signal } = options;
  const shapes: ContainerShape[] = [];
  for (const { path } of pieces) shapes.push(await probe(path, signal));
  const times = pieces.map(({ startMs, durationMs }, at) => ({
    startMs,
    endMs: startMs + (durationMs ?? shapes[at]!.durationMs),
  }));
  const spans = planSpans(times, options.fromMs, options.toMs);
  if (spans.length === 0) throw new EventFailure('The range contains no sound of these clips.');
  const common = chooseShape(shapes);
  const format = options.format === 'same' ? (shapes.every(isPcm) ? 'wav' : 'flac') : options.format;
  const placed = placeSpans(spans, gaps, common.rate);
  const raw = ['-f', `s${common.bits}le`, '-ar', String(common.rate), '-ac', String(common.channels)];
  const encoder = startProgram(
    'ffmpeg',
    [...quiet, ...raw, '-i', '-', ...encodings[format].options(common.bits), '-y', target],
    signal,
  );
  const frameBytes = (common.bits / 8) * common.channels;
  let written = 0;
  for (const [at, span] of placed.entries()) {
    await writeSilence(encoder.input, (span.at - written) * frameBytes);
    await writeSpan(encoder.input, pieces, span, { raw, frameBytes, signal });
    written = span.at + span.samples;
    onProgress((100 * (at + 1)) / placed.length);
  }
  encoder.input.end();
  await encoder.done;
  const isLossless = format === 'wav' || format === 'flac';
  return {
    format,
    contentType: encodings[format].contentType,
    durationMs: Math.round((written / common.rate) * 1_000),
    isReencoded: !(isLossless && shapes.every((shape) => isPcm(shape) && isSame(shape, common))),
  };
}

const quiet = ['-hide_banner', '-loglevel', 'error', '-nostdin'];

interface ContainerShape {
  readonly codec: string;
  readonly rate: number;
  readonly channels: number;
  readonly bits: 16 | 24 | 32;
  readonly durationMs: number;
}

type CommonShape = Pick<ContainerShape, 'rate' | 'channels' | 'bits'>;

const isPcm = ({ codec }: ContainerShape): boolean => /^pcm_s(16|24|32)le$/.test(codec);
const isSame = (one: ContainerShape, other: CommonShape): boolean =>
  one.rate === other.rate && one.channels === other.channels && one.bits === other.bits;

/** The best quality among the recordings. */
const chooseShape = (shapes: readonly ContainerShape[]): CommonShape => ({
  rate: Math.max(...shapes.map(({ rate }) => rate)),
  channels: shapes.some(({ channels }) => channels > 1) ? 2 : 1,
  bits: shapes.map(({ bits }) => bits).reduce((most, bits) => (bits > most ? bits : most), 16),
});

async function probe(path: string, signal: AbortSignal): Promise<ContainerShape> {
  const entries = 'stream=codec_name,sample_rate,channels,bits_per_raw_sample:format=duration';
  const { output, done } = startProgram(
    'ffprobe',
    ['-v', 'error', '-select_streams', 'a:0', '-show_entries', entries, '-of', 'json', path],
    signal,
  );
  let text = '';
  for await (const chunk of output) text += String(chunk);
  await done.catch((error: Error) => {
    throw new EventFailure(`${path} cannot be read: ${error.message}`);
  });
  const { streams = [], format } = JSON.parse(text) as {
    streams?: Record<string, unknown>[];
    format?: { duration?: string };
  };
  const [stream] = streams;
  const codec = typeof stream?.['codec_name'] === 'string' ? stream['codec_name'] : '';
  const rate = Number(stream?.['sample_rate']);
  if (!(rate > 0)) throw new EventFailure(`${path} contains no sound.`);
  const depth = Number(/^pcm_[sf](\d\d)/.exec(codec)?.[1] ?? stream?.['bits_per_raw_sample'] ?? 16);
  return {
    codec,
    rate,
    channels: Number(stream?.['channels']),
    bits: depth > 24 ? 32 : depth > 16 ? 24 : 16,
    durationMs: Math.round(1_000 * (Number(format?.duration) || 0)),
  };
}

interface RawFormat {
  readonly raw: readonly string[];
  readonly frameBytes: number;
  readonly signal: AbortSignal;
}

/** Exactly the samples of the span: a recording that is shorter than announced is completed with silence. */
async function writeSpan(
  input: Writable,
  pieces: readonly SoundPiece[],
  { piece, startMs, endMs, samples }: PlacedSpan,
  { raw, frameBytes, signal }: RawFormat,
): Promise<void> {
  const { path, startMs: pieceStartMs } = pieces[piece]!;
  const from = ['-ss', String((startMs - pieceStartMs) / 1_000)];
  // A little more than the span, because rounding may leave a sample out.
  const length = ['-t', String((endMs - startMs) / 1_000 + 0.1)];
  const decoder = startProgram('ffmpeg', [...quiet, ...from, ...length, '-i', path, '-vn', ...raw, '-'], signal);
  let left = samples * frameBytes;
  for await (const chunk of decoder.output as AsyncIterable<Buffer>) {
    const used = chunk.subarray(0, left);
    left -= used.length;
    await write(input, used);
  }
  await decoder.done.catch((error: Error) => {
    throw new EventFailure(`${path} cannot be read: ${error.message}`);
  });
  await writeSilence(input, left);
}

async function writeSilence(input: Writable, bytes: number): Promise<void> {
  const most = 65_536;
  for (let left = bytes; left > 0; left -= most) await write(input, Buffer.alloc(Math.min(left, most)));
}

async function write(input: Writable, bytes: Buffer): Promise<void> {
  if (bytes.length > 0 && !input.write(bytes)) await Promise.race([once(input, 'drain'), once(input, 'close')]);
}

/** `done` fails with what the program wrote about its error. */
function startProgram(program: 'ffmpeg' | 'ffprobe', args: readonly string[], signal: AbortSignal) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], signal });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-1_000)));
  // A program that ended early is reported by `done`.
  child.stdin.on('error', () => {});
  const wait = async (): Promise<void> => {
    const [code] = (await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw new EventFailure(`${program} is not installed on this device; install the package ffmpeg.`);
    })) as [number | null];
    if (code !== 0) throw new EventFailure(errors.trim().split('\n').at(-1) || `${program} ended with ${String(code)}`);
  };
  const done = wait();
  done.catch(() => {});
  return { input: child.stdin, output: child.stdout, done };
}
