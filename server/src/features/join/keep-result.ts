import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Pool } from '../../platform/database/connect.ts';
import type { Job } from '../../platform/events/jobs.ts';
import type { JoinResult } from '../../platform/media/join/join-work.ts';
import { hashAll } from '../../platform/storage/hashing.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { ExportLimits } from './export-limits.ts';
import { publishResult, reserveFile } from './export-result.ts';

interface KeepingParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly exportLimits: ExportLimits;
}

/** Stores the result as a file of the device, which is removed after a week unless a collection uses it. */
export async function keepResult(
  parts: KeepingParts,
  { event, signal }: Job,
  { contentType, extension }: JoinResult,
  path: string,
): Promise<{ fileID: number }> {
  const { db, storage } = parts;
  const { size } = await stat(path);
  const file = await reserveFile(parts, event, {
    userID: null,
    filename: `joined-${event.key}.${extension}`,
    fileSize: size,
    sha256: await hashAll(createReadStream(path, { signal })),
    contentType,
  });
  const { key: fileID, storageName } = file;
  await storage.append(storageName, { offset: 0, size, length: size, source: createReadStream(path), signal });
  await storage.finish(storageName, size);
  await publishResult(db, event, file, contentType);
  return { fileID };
}
