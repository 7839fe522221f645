import { stat } from 'node:fs/promises';

import type { ChildLimits } from './child.ts';
import type { SampleFormat, SoundFacts, SoundFile, SoundShape } from './sound.ts';

export interface KnownShape extends SoundShape {
  /** The length by the file's table, if a decoder would play beyond it. */
  readonly tableSeconds?: number | undefined;
}

/** Interleaved 32-bit floats at the rate of the file, in chunks of any size; its channels, whatever is requested. */
export interface Tap {
  readonly sampleRate: number;
  readonly channels: number;
  readonly push: (bytes: Buffer) => void;
}

export interface PcmRequest {
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  readonly sampleFormat: SampleFormat;
  /** In frames of the requested output, after resampling. */
  readonly fromFrame: number;
  readonly toFrame: number;
  readonly signal: AbortSignal | undefined;
  /** Also receives all samples as they are in the file; only with `fromFrame` 0. */
  readonly tap?: Tap | undefined;
  /** Limits of the cost; none if undefined. */
  readonly limits?: ChildLimits | undefined;
}

/** Reads sound. All decoding runs in other processes: a hostile file must neither block nor kill the server. */
export interface Engine {
  /** Reads only the beginning. Undefined if the file is not readable sound. */
  inspect(file: SoundFile, signal?: AbortSignal): Promise<KnownShape | undefined>;
  /** Reads the whole file to find its real length. */
  probe(file: SoundFile, signal?: AbortSignal): Promise<SoundFacts | undefined>;
  /** Interleaved samples in chunks of any size. A truncated file gives the samples up to where it ends. */
  decode(file: SoundFile, shape: KnownShape, request: PcmRequest): AsyncGenerator<Buffer>;
}

const slowestBytesPerMs = 100;

/** Extra time until the first sample: the sound before it is decoded too, so that the position is exact. */
export async function extraIdleMsFor({ path }: SoundFile, fromFrame: number): Promise<number> {
  return fromFrame === 0 ? 0 : (await stat(path)).size / slowestBytesPerMs;
}
