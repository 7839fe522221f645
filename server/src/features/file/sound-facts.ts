import { MediaError } from '../../platform/media/media-error.ts';
import type { Pool } from '../../platform/database/connect.ts';
import type { Media } from '../../platform/media/media.ts';
import type { Scratch } from '../../platform/storage/scratch.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { findStoredFile, keepFacts } from './queries.ts';

export interface SoundParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly scratch: Scratch;
  readonly media: Media;
}

/** What listening to a file told. */
export interface SoundFacts {
  readonly durationMs: number;
  /** Bits per second. */
  readonly bitrate: number;
}

/** Listens to a file once and keeps what it told. Undefined: it is no sound that can be read, or its bytes are not here. */
export async function describeSound(parts: SoundParts, fileID: number): Promise<SoundFacts | undefined> {
  const { db, storage, scratch } = parts;
  const file = await findStoredFile(db, fileID);
  if (!file || file.fileStatus !== 1) return undefined;
  if (file.durationMs !== null && file.bitrate !== null) return { durationMs: file.durationMs, bitrate: file.bitrate };
  const facts = await scratch.withStored(storage, file.storageName, (path) => probeSound(parts.media, path));
  if (facts) await keepFacts(db, fileID, facts);
  return facts;
}

/** Undefined: no sound that can be read. */
export async function probeSound(media: Media, path: string, signal?: AbortSignal) {
  try {
    return await media.probe(path, signal);
  } catch (error) {
    // Whatever makes the program that reads it fail, hang or swell is no sound for us either.
    if (error instanceof MediaError) return undefined;
    throw error;
  }
}
