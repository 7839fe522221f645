import { join } from 'node:path';
import type { Pool } from '../database/connect.ts';
import { isWriteFault, probeDatabase } from '../database/write-probe.ts';
import type { Scratch } from '../storage/scratch.ts';
import type { Storage } from '../storage/storage.ts';
import { StorageUnavailable } from '../storage/storage-error.ts';
import type { WatchedPlace } from './write-watch.ts';

export interface WatchedParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly scratch: Scratch;
  readonly dataDir: string;
  /** Whether PostgreSQL keeps its data in the data folder. */
  readonly isEmbedded: boolean;
}

/** All places that this node writes to. */
export function listPlaces({ db, storage, scratch, dataDir, isEmbedded }: WatchedParts): WatchedPlace[] {
  const concernsStorage = (error: unknown) => error instanceof StorageUnavailable;
  return [
    { name: 'files', folder: storage.root, concerns: concernsStorage, probe: () => storage.check() },
    { name: 'scratch', folder: scratch.root, concerns: concernsStorage, probe: () => scratch.check() },
    {
      name: 'database',
      folder: isEmbedded ? join(dataDir, 'postgres') : undefined,
      concerns: isWriteFault,
      probe: () => probeDatabase(db),
    },
  ];
}
