import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Io } from '../io.ts';
import { stateFolder, writePrivate } from '../stored-logins.ts';
import type { RdioArchive } from './rdio-archive.ts';

/** With more failed calls, the file stays as it was before them, and the next run looks at all after its place again. */
const mostRemembered = 100_000;
const writeEveryMs = 1_000;

/** Where an import stopped. */
interface StoredPlace {
  /** The last call that was tried. */
  readonly lastID: number;
  /** Tells whether the last call is still the same one. */
  readonly mark: string;
  /** Calls up to the last one that failed. */
  readonly failed: readonly number[];
}

interface PlaceFile {
  read(): Promise<StoredPlace | undefined>;
  write(place: StoredPlace): Promise<void>;
}

async function placeFileOf(io: Io, url: string, archive: string): Promise<PlaceFile> {
  const name = createHash('sha256')
    .update(JSON.stringify([url, await realpath(archive)]))
    .digest('hex')
    .slice(0, 32);
  const path = join(stateFolder(io.env), 'imports', `${name}.json`);
  return {
    async read() {
      try {
        const { lastID, mark, failed } = JSON.parse(await readFile(path, 'utf8')) as Partial<StoredPlace>;
        if (!Number.isSafeInteger(lastID) || typeof mark !== 'string') return undefined;
        // A file of version 0.1 has no failed calls.
        return { lastID: lastID!, mark, failed: Array.isArray(failed) ? failed.filter(Number.isSafeInteger) : [] };
      } catch {
        return undefined;
      }
    },
    write: (place) => writePrivate(path, JSON.stringify(place)),
  };
}

/** The place of an import that is going on. */
export interface ImportPlace {
  readonly isContinued: boolean;
  readonly failed: Set<number>;
  lastID: number;
  write(): Promise<void>;
  writeNowAndThen(): Promise<void>;
}

interface PlaceParts {
  readonly path: string;
  readonly archive: Pick<RdioArchive, 'markOf'>;
  /** Forget the place. */
  readonly restart: boolean;
}

export async function openImportPlace(
  io: Io,
  url: string,
  { path, archive, restart }: PlaceParts,
): Promise<ImportPlace> {
  const file = await placeFileOf(io, url, path);
  const found = restart ? undefined : await file.read();
  const isContinued = found !== undefined && archive.markOf(found.lastID) === found.mark;
  let writtenMs = 0;
  const place: ImportPlace = {
    isContinued,
    failed: new Set(isContinued ? found.failed : []),
    lastID: isContinued ? found.lastID : 0,
    async write() {
      if (place.failed.size > mostRemembered) return;
      const failed = [...place.failed].filter((id) => id <= place.lastID).toSorted((a, b) => a - b);
      await file.write({ lastID: place.lastID, mark: archive.markOf(place.lastID) ?? '', failed });
    },
    async writeNowAndThen() {
      if (performance.now() - writtenMs < writeEveryMs) return;
      await place.write();
      writtenMs = performance.now();
    },
  };
  return place;
}
