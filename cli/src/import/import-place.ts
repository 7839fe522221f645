import { createHash } from 'node:crypto';
import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Io } from '../io.ts';
import { stateFolder, writePrivate } from '../stored-logins.ts';

/** Where an import stopped: the last call, and a mark that tells whether it is still the same one. */
export interface ImportPlace {
  readonly lastID: number;
  readonly mark: string;
}

export interface PlaceFile {
  read(): Promise<ImportPlace | undefined>;
  write(place: ImportPlace): Promise<void>;
  remove(): Promise<void>;
}

export async function placeFileOf(io: Io, url: string, archive: string): Promise<PlaceFile> {
  const name = createHash('sha256')
    .update(JSON.stringify([url, await realpath(archive)]))
    .digest('hex')
    .slice(0, 32);
  const path = join(stateFolder(io.env), 'imports', `${name}.json`);
  return {
    async read() {
      try {
        const place = JSON.parse(await readFile(path, 'utf8')) as ImportPlace;
        return Number.isSafeInteger(place.lastID) && typeof place.mark === 'string' ? place : undefined;
      } catch {
        return undefined;
      }
    },
    write: (place) => writePrivate(path, JSON.stringify(place)),
    remove: () => rm(path, { force: true }),
  };
}
