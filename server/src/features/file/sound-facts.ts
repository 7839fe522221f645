import type { SharedMedia } from '../../platform/media/limited-media.ts';
import { MediaError } from '../../platform/media/media-error.ts';
import type { Pool } from '../../platform/database/connect.ts';
import type { Scratch } from '../../platform/storage/scratch.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { findStoredFile, keepFacts } from './queries.ts';

export interface SoundParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly scratch: Scratch;
  readonly media: SharedMedia;
}

/** The result of analysing a file. */
export interface SoundFacts {
  readonly durationMs: number;
  /** Bits per second. */
  readonly bitrate: number;
}

/**
 * Analyses a file once and stores the result. Undefined: the file is not readable sound, or its bytes are missing.
 * Throws a MediaError for sound that is too long or takes too much time or memory to read.
 */
export async function describeSound(parts: SoundParts, fileID: number): Promise<SoundFacts | undefined> {
  const { db, storage, scratch } = parts;
  const file = await findStoredFile(db, fileID);
  if (!file || file.fileStatus !== 1) return undefined;
  if (file.durationMs !== null && file.bitrate !== null) return { durationMs: file.durationMs, bitrate: file.bitrate };
  const facts = await scratch.withStored(storage, file.storageName, (path) =>
    probeSound(parts.media, path, file.ownerID),
  );
  if (facts) await keepFacts(db, fileID, facts);
  return facts;
}

/**
 * Undefined: not readable sound. Throws a MediaError for sound that is too long or takes too much time or memory to
 * read.
 */
export async function probeSound(media: SharedMedia, path: string, ownerID: number, signal?: AbortSignal) {
  try {
    return await media.probe(path, ownerID, signal);
  } catch (error) {
    // A file that makes the decoder crash, hang or use too much memory does not count as sound either.
    if (error instanceof MediaError && !isBeyondLimits(error)) return undefined;
    throw error;
  }
}

/** It is sound, but exceeds a limit. */
export const isBeyondLimits = ({ code }: MediaError): boolean => code === 'too-long' || code === 'too-costly';
