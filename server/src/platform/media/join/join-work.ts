import type { Engine, KnownShape } from '../engine.ts';
import type { FfmpegPrograms } from '../find-ffmpeg.ts';
import type { SoundFacts } from '../sound.ts';
import type { JoinFormat, ResultFormat } from './formats.ts';
import type { Gaps, TimelineSpan } from './timeline.ts';

export interface JoinPiece {
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  /** The result of `probe`, if known: saves opening the piece a second time. */
  readonly facts?: SoundFacts | undefined;
  open(): Promise<{ path: string; release(): Promise<void> }>;
}

export interface JoinRequest {
  /** In any order; may overlap. */
  readonly pieces: readonly JoinPiece[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly gaps: Gaps;
  /** `same` keeps the format of the pieces if all agree, otherwise FLAC. */
  readonly format: JoinFormat | 'same';
  readonly target: string;
  /** Called once for each whole percent. */
  readonly onProgress?: ((percent: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface JoinResult {
  readonly format: ResultFormat;
  readonly contentType: string;
  /** Without a dot. */
  readonly extension: string;
  readonly durationMs: number;
  /** False if every packet, or with WAV and FLAC every sample, is as recorded. */
  readonly isReencoded: boolean;
}

export interface JoinTools {
  readonly engine: Engine;
  readonly ffmpeg: FfmpegPrograms | undefined;
}

/** The input of both ways of joining. */
export interface JoinWork {
  readonly tools: JoinTools;
  readonly pieces: readonly JoinPiece[];
  readonly shapes: ReadonlyMap<number, KnownShape>;
  readonly stretches: readonly TimelineSpan[];
  readonly gaps: Gaps;
  readonly path: string;
  readonly report: (done: number, total: number) => void;
  readonly signal: AbortSignal | undefined;
}
