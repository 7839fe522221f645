import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundPart, Place } from './folder-layout.ts';
import { findParts, isFault, makeFolder, unlessMissing } from './folder-layout.ts';
import { OffsetMismatch } from './storage-error.ts';

/*
 * Who adds to an unfinished upload holds it, under a name with a token of their own:
 *
 *     (nothing) ──create──▶ free ──rename──▶ held ──rename──▶ free, or the file
 *                                            held ──copy, unlink──▶ held by another
 *
 * A rename succeeds for one only, whatever process or machine they are on, so each inode has one writer ever. A holder
 * that was not heard of for a while is dead, or waits for a dead connection, and is not asked: what it wrote is copied
 * and its own name removed. Should it wake up, it writes on into a file that has no name, and learns it at the end.
 * Clocks decide only how soon that happens, never whether it is right.
 */

export interface HeldPart {
  readonly path: string;
  readonly size: number;
}

export interface PartWait {
  /** For how long a holder may add nothing before it is taken for dead. */
  readonly staleAfterMs: number;
  readonly signal?: AbortSignal | undefined;
}

const lookAgainMs = 50;

/**
 * Holds the unfinished upload of that size, made when it is 0 and there is none; OffsetMismatch when it stands
 * elsewhere, undefined when it has become the file.
 */
export async function holdPart(place: Place, size: number, wait: PartWait): Promise<HeldPart | undefined> {
  const path = place.heldPart(randomBytes(8).toString('hex'));
  const watch = new Watch(wait.staleAfterMs);
  for (;;) {
    wait.signal?.throwIfAborted();
    const [part] = await findParts(place);
    if (part === undefined && (await unlessMissing(stat(place.file)))) return undefined;
    if ((part?.size ?? 0) !== size) throw new OffsetMismatch(part?.size ?? 0);
    if (part === undefined) await createPart(place);
    else if (part.isFree ? await claim(part, path) : watch.isDead(part) && (await takeOver(part, path))) {
      const { size: now } = await stat(path);
      if (now === size) return { path, size };
      // It grew between the look and the claim.
      await releasePart(place, path);
    } else if (!part.isFree) await sleep(lookAgainMs);
  }
}

/** Lets others add to it; false when it was taken over meanwhile. */
export const releasePart = (place: Place, path: string): Promise<boolean> => tryRename(path, place.freePart);

/** True for the one who did it. */
export async function tryRename(from: string, to: string): Promise<boolean> {
  return (await unlessMissing(rename(from, to).then(() => true))) ?? false;
}

async function createPart(place: Place): Promise<void> {
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

/** Says of a holder that it is dead: by its last change, or, where clocks differ, after having watched it. */
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
