import type { Pool } from '../../platform/database/connect.ts';
import { keepFacts } from './queries.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { Scratch } from '../../platform/storage/scratch.ts';
import type { SharedMedia } from '../../platform/media/limited-media.ts';
import { probeSound } from '../../platform/media/probe-sound.ts';
import { findStoredFile } from './stored-queries.ts';

export interface SoundParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly scratch: Scratch;
  readonly media: SharedMedia;
}

/** The result of analysing a file. */
export interface FileFacts {
  readonly durationMs: number;
  /** Bits per second. */
  readonly bitrate: number;
}

/**
 * Analyses a file once and stores the result. Undefined: the file is not readable sound, or its bytes are missing.
 * Throws a MediaError for sound that is too long or takes too much time or memory to read.
 */
export async function describeSound(parts: SoundParts, fileID: number): Promise<FileFacts | undefined> {
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
