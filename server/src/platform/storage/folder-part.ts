import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundPart, StoredPath } from './folder-layout.ts';
import { findParts, isFault, listEntries, makeFolder, unlessMissing } from './folder-layout.ts';
import { OffsetMismatch } from './storage-error.ts';

/*
 * A writer holds an unfinished upload under a name with its own token:
 *
 *     (nothing) ──create──▶ free ──rename──▶ held ──rename──▶ free, or the file
 *                                            held ──copy, unlink──▶ held by another
 *
 * A rename succeeds for only one process on any machine, so each inode has only one writer ever. A holder that has not
 * written for `staleAfterMs` is dead, or waits for a dead connection: its bytes are copied and its name is removed. If
 * it continues, it writes to a file without a name and notices at the end. Clocks decide only how soon a takeover
 * happens; a wrong clock cannot damage an upload.
 */

export interface HeldPart {
  readonly path: string;
  readonly size: number;
}

export interface PartWait {
  /** A holder that writes nothing for this time counts as dead. */
  readonly staleAfterMs: number;
  readonly signal?: AbortSignal | undefined;
}

const pollMs = 50;

/**
 * Takes hold of the unfinished upload of that size; creates it if the size is 0 and there is none. Throws
 * OffsetMismatch if it has another size. Undefined if it has become the file.
 */
export async function holdPart(place: StoredPath, size: number, wait: PartWait): Promise<HeldPart | undefined> {
  const path = place.heldPart(randomBytes(8).toString('hex'));
  const watch = new Watch(wait.staleAfterMs);
  for (;;) {
    wait.signal?.throwIfAborted();
    const [part] = await findParts(place);
    if (part === undefined && (await unlessMissing(stat(place.file)))) return undefined;
    if ((part?.size ?? 0) !== size) throw new OffsetMismatch(part?.size ?? 0);
    if (part === undefined) await createPart(place);
    else if (part.isFree ? await claim(part, path) : watch.isDead(part) && (await takeOver(part, path))) {
      // Another writer may have created one too, while its own was not seen: an empty one is no loss.
      if (size === 0 && (await listEntries(place)).length > 1) await rm(path, { force: true });
      else {
        const { size: now } = await stat(path);
        if (now === size) return { path, size };
        // It grew between the search and the claim.
        await releasePart(place, path);
      }
    } else if (!part.isFree) await sleep(pollMs);
  }
}

/** Releases it for other writers; false if another writer has taken it over. */
export const releasePart = (place: StoredPath, path: string): Promise<boolean> => tryRename(path, place.freePart);

/** True only for the caller that renamed it. */
export async function tryRename(from: string, to: string): Promise<boolean> {
  return (await unlessMissing(rename(from, to).then(() => true))) ?? false;
}

async function createPart(place: StoredPath): Promise<void> {
  await makeFolder(place.folder);
  try {
    await (await open(place.freePart, 'wx', 0o600)).close();
  } catch (error) {
    if (!isFault(error, 'EEXIST')) throw error;
  }
}

const claim = (part: FoundPart, path: string): Promise<boolean> => tryRename(part.path, path);

async function takeOver(part: FoundPart, path: string): Promise<boolean> {
  const isCopied = await unlessMissing(copyFile(part.path, path, constants.COPYFILE_FICLONE).then(() => true));
  if (isCopied !== true) return false;
  await chmod(path, 0o600);
  const isOurs = await unlessMissing(unlink(part.path).then(() => true));
  if (isOurs !== true) await rm(path, { force: true });
  return isOurs === true;
}

/** Decides whether a holder is dead: by its last change, or, where clocks differ, by watching it. */
class Watch {
  readonly #staleAfterMs: number;
  #seen = '';
  #since = 0;

  constructor(staleAfterMs: number) {
    this.#staleAfterMs = staleAfterMs;
  }

  isDead({ path, size, changed }: FoundPart): boolean {
    const now = Date.now();
    const seen = `${path} ${size} ${changed.getTime()}`;
    if (seen !== this.#seen) [this.#seen, this.#since] = [seen, now];
    return now - changed.getTime() > this.#staleAfterMs || now - this.#since > this.#staleAfterMs;
  }
}
