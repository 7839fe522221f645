import { resolve } from 'node:path';

import type { KnownShape } from '../engine.ts';
import { probeFile } from '../ffmpeg-probe.ts';
import { MediaError } from '../media-error.ts';
import { sniffSound } from '../sniff.ts';
import type { SoundFacts, SoundFile } from '../sound.ts';
import type { JoinPiece, JoinTools } from './join-work.ts';
import type { TimelineSpan } from './timeline.ts';

/** Opens a piece while `use` runs. */
export async function withPiece<T>(piece: JoinPiece, use: (file: SoundFile) => Promise<T>): Promise<T> {
  const opened = await piece.open();
  try {
    const file = await sniffSound(resolve(opened.path));
    if (!file) throw unreadablePiece(piece);
    return await use(file);
  } catch (error) {
    throw error instanceof MediaError && error.code === 'unreadable' ? unreadablePiece(piece) : error;
  } finally {
    await opened.release();
  }
}

export function unreadablePiece({ startMs }: JoinPiece): MediaError {
  const start = new Date(startMs).toISOString();
  return new MediaError('unreadable', `The clip that begins at ${start} is not readable sound`);
}

/** The shapes of all pieces that are used. */
export async function inspectPieces(
  { engine, ffmpeg }: JoinTools,
  pieces: readonly JoinPiece[],
  stretches: readonly TimelineSpan[],
  signal: AbortSignal | undefined,
): Promise<Map<number, KnownShape>> {
  const shapes = new Map<number, KnownShape>();
  for (const index of new Set(stretches.map(({ piece }) => piece))) {
    const piece = pieces[index]!;
    signal?.throwIfAborted();
    // Includes all that copying needs, so that a piece is inspected only once.
    const look = (file: SoundFile): Promise<KnownShape | undefined> =>
      ffmpeg ? probeFile(ffmpeg.ffprobe, file, signal) : engine.inspect(file, signal);
    const shape = piece.facts ? shapeFrom(piece.facts) : await withPiece(piece, look);
    if (!shape) throw unreadablePiece(piece);
    shapes.set(index, shape);
  }
  return shapes;
}

function shapeFrom(facts: SoundFacts): KnownShape {
  return { ...facts, tableSeconds: facts.container === 'mp4' ? facts.durationMs / 1000 : undefined };
}
