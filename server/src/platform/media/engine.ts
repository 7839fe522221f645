import { stat } from 'node:fs/promises';

import type { ChildLimits } from './child.ts';
import type { SampleFormat, SoundFacts, SoundFile, SoundShape } from './sound.ts';

export interface KnownShape extends SoundShape {
  /** The length by the file's own table, where a decoder would not end there by itself. */
  readonly tableSeconds?: number | undefined;
}

export interface PcmRequest {
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  readonly sampleFormat: SampleFormat;
  /** In frames of the sound as asked for, which is after any change of its rate. */
  readonly fromFrame: number;
  readonly toFrame: number;
  readonly signal: AbortSignal | undefined;
  /** What it may cost; as much as it takes when missing. */
  readonly limits?: ChildLimits | undefined;
}

/** What reads sound. All of it happens outside our process: a hostile file must neither block nor kill the server. */
export interface Engine {
  /** Reads no more than the beginning. Undefined: not sound it can read. */
  inspect(file: SoundFile, signal?: AbortSignal): Promise<KnownShape | undefined>;
  /** Reads the whole file, for the length that is really there. */
  probe(file: SoundFile, signal?: AbortSignal): Promise<SoundFacts | undefined>;
  /** Interleaved samples, in chunks of any size. A file that breaks off ends the sound there. */
  decode(file: SoundFile, shape: KnownShape, request: PcmRequest): AsyncGenerator<Buffer>;
}

const slowestBytesPerMs = 100;

/** How long it may take until the first sample comes: what lies before it is decoded too, so that it is exact. */
export async function wayTo({ path }: SoundFile, fromFrame: number): Promise<number> {
  return fromFrame === 0 ? 0 : (await stat(path)).size / slowestBytesPerMs;
}
