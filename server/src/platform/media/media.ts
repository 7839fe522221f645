import { resolve } from 'node:path';

import type { Log } from '../log.ts';
import type { Engine, KnownShape } from './engine.ts';
import { ffmpegEngine } from './ffmpeg-engine.ts';
import { ffmpegFinder } from './find-ffmpeg.ts';
import type { JoinRequest, JoinResult, JoinTools } from './join/join-work.ts';
import { joinPieces } from './join/join.ts';
import { jsEngine } from './js-engine.ts';
import { decodingLimits, tooLong } from './limits.ts';
import { unreadable } from './media-error.ts';
import { asFloat32, asInt16, wholeFrames } from './pcm-frames.ts';
import type { Peaks } from './peaks.ts';
import { PeakCounter } from './peaks.ts';
import { factsOfSound, readPlainWav } from './plain-wav.ts';
import type { MeasuredSound } from './measure/measured-sound.ts';
import { meterOf } from './measure/meter-tap.ts';
import { sniffSound } from './sniff.ts';
import type { SoundFacts, SoundFile } from './sound.ts';
import { longestSoundMs } from './sound.ts';
import { findWavFault } from './wav-header.ts';

export interface PeaksOptions {
  readonly pointsPerSecond: number;
  readonly signal?: AbortSignal | undefined;
}

export interface DecodeOptions {
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called at the end with the facts of the whole sound, as it is in the file, whatever rate and channels are requested.
   * Only without `fromMs` and `toMs`. Not called if there was no sound.
   */
  readonly onMeasured?: ((measured: MeasuredSound) => void) | undefined;
}

/** All paths are local files; the caller fetches remote ones first. */
export interface Media {
  /**
   * Facts from the header without starting a program, which is enough for plain WAV. Undefined: a program must read the
   * file.
   */
  probeHeader(path: string, signal?: AbortSignal): Promise<{ readonly facts: SoundFacts | undefined } | undefined>;
  /** Undefined if the file is not readable sound. */
  probe(path: string, signal?: AbortSignal): Promise<SoundFacts | undefined>;
  computePeaks(path: string, options: PeaksOptions): Promise<Peaks>;
  /** Streams interleaved samples between -1 and 1; a chunk is valid until the next one is requested. */
  decode(path: string, options: DecodeOptions): AsyncGenerator<Float32Array>;
  join(request: JoinRequest): Promise<JoinResult>;
}

export interface MediaOptions {
  readonly log: Log;
  /** Folders to search for ffmpeg, as in PATH; empty for none. */
  readonly searchPath?: string;
}

/** Uses ffmpeg if it is installed, otherwise audio-decode (docs/decisions/0013). */
export function openMedia({ log, searchPath = process.env['PATH'] ?? '' }: MediaOptions): Media {
  const findFfmpeg = ffmpegFinder(searchPath);
  let isWarned = false;

  async function chooseTools(): Promise<JoinTools> {
    const ffmpeg = await findFfmpeg();
    if (ffmpeg) return { ffmpeg, engine: ffmpegEngine(ffmpeg) };
    if (!isWarned)
      log.warn({}, 'ffmpeg is not installed: reading sound is slow and joining produces only WAV; install ffmpeg');
    isWarned = true;
    return { ffmpeg, engine: jsEngine };
  }

  return {
    async probeHeader(path, signal) {
      const file = await sniffSound(resolve(path));
      if (!file) return { facts: undefined };
      const wav = await readPlainWav(file, signal);
      return wav && { facts: await complete(file, factsOfSound(wav.shape, wav.seconds, wav.dataBytes)) };
    },
    async probe(path, signal) {
      const file = await sniffSound(resolve(path));
      return file && complete(file, await (await chooseTools()).engine.probe(file, signal));
    },
    async computePeaks(path, options) {
      const { engine } = await chooseTools();
      return countPeaks(engine, ...(await recognise(engine, path, options.signal)), options);
    },
    async *decode(path, options) {
      const { engine } = await chooseTools();
      yield* decodeFloats(engine, ...(await recognise(engine, path, options.signal)), options);
    },
    async join(request) {
      return joinPieces(await chooseTools(), request);
    },
  };
}

/** Adds what is wrong with the header. */
async function complete({ path, container }: SoundFile, facts: SoundFacts | undefined) {
  if (facts === undefined) return undefined;
  if (facts.durationMs > longestSoundMs) throw tooLong();
  const fault = container === 'wav' ? await findWavFault(path) : undefined;
  return fault === undefined ? facts : { ...facts, fault };
}

async function recognise(engine: Engine, path: string, signal?: AbortSignal): Promise<[SoundFile, KnownShape]> {
  const file = await sniffSound(resolve(path));
  const shape = file && (await engine.inspect(file, signal));
  if (!file || !shape) throw unreadable();
  return [file, shape];
}

async function countPeaks(
  engine: Engine,
  file: SoundFile,
  shape: KnownShape,
  { pointsPerSecond, signal }: PeaksOptions,
): Promise<Peaks> {
  const { sampleRate } = shape;
  const channels = shape.channels === 1 ? 1 : 2;
  const counter = new PeakCounter(sampleRate, channels, pointsPerSecond);
  const request = { sampleRate, channels, sampleFormat: 's16', fromFrame: 0, toFrame: lastFrame, signal } as const;
  const decoded = engine.decode(file, shape, { ...request, limits: decodingLimits });
  for await (const bytes of wholeFrames(decoded, channels * 2)) {
    counter.push(asInt16(bytes));
  }
  const peaks = counter.finish();
  if (peaks.durationMs >= longestSoundMs) throw tooLong();
  return peaks;
}

async function* decodeFloats(
  engine: Engine,
  file: SoundFile,
  shape: KnownShape,
  { sampleRate, channels, fromMs = 0, toMs, signal, onMeasured }: DecodeOptions,
): AsyncGenerator<Float32Array> {
  const frameAt = (ms: number): number => Math.round((ms * sampleRate) / 1000);
  const [fromFrame, toFrame] = [frameAt(fromMs), toMs === undefined ? lastFrame : frameAt(toMs)];
  if (fromFrame >= toFrame) return;
  const meter = onMeasured && fromFrame === 0 && toMs === undefined ? meterOf(shape) : undefined;
  const tap = meter?.tap;
  const request = { sampleRate, channels, sampleFormat: 'f32', fromFrame, toFrame, signal, tap } as const;
  for await (const bytes of wholeFrames(engine.decode(file, shape, request), channels * 4)) yield asFloat32(bytes);
  const measured = meter?.finish();
  if (measured) onMeasured?.(measured);
}

/** The end of any sound, as a number that JSON can represent. */
const lastFrame = Number.MAX_SAFE_INTEGER;
