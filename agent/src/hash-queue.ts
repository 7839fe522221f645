import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileOnDisk } from './examine-file.ts';
import { diskPath } from './file-name.ts';

/*
 * Hashes files beside the looks at their folder. The file with the fewest bytes left is read first, a slice at a time, so
 * that a huge one holds up no other.
 */

export interface HashQueue {
  /**
   * The SHA-256 of a file as it was found; undefined as long as it is not known: ask again at the next look. Throws if the
   * file could not be read.
   */
  find(file: FileOnDisk): string | undefined;
  /** The file is read again when it is asked for. */
  forget(path: string): void;
  /** Forgets the files that were not asked for since the last call. */
  forgetOthers(): void;
  /** Reads until nothing is left to read. Without effect while it runs. */
  work(signal: AbortSignal): Promise<void>;
  /** How long files were read since the last call. */
  takeSpentMs(): number;
}

interface Job {
  readonly file: FileOnDisk;
  readonly hash: Hash;
  /** The bytes before it are hashed. */
  at: number;
  isWanted: boolean;
  sha256?: string;
  fault?: unknown;
}

const sliceBytes = 16_777_216;
const atOnce = 1_048_576;

export function createHashQueue(clock: () => number): HashQueue {
  const jobs = new Map<string, Job>();
  let spentMs = 0;
  let isWorking = false;

  const nextJob = (): Job | undefined => {
    let next: Job | undefined;
    for (const job of jobs.values())
      if (job.sha256 === undefined && job.fault === undefined && (!next || leftOf(job) < leftOf(next))) next = job;
    return next;
  };

  return {
    find(file) {
      const known = jobs.get(file.path);
      if (!known || !isAlike(known.file, file)) {
        jobs.set(file.path, { file, hash: createHash('sha256'), at: 0, isWanted: true });
        return undefined;
      }
      known.isWanted = true;
      if (known.fault === undefined) return known.sha256;
      jobs.delete(file.path);
      throw known.fault;
    },
    forget: (path) => void jobs.delete(path),
    forgetOthers() {
      for (const [path, job] of jobs) {
        if (!job.isWanted) jobs.delete(path);
        job.isWanted = false;
      }
    },
    async work(signal) {
      if (isWorking) return;
      if (!nextJob()) return;
      isWorking = true;
      const buffer = Buffer.allocUnsafe(atOnce);
      for (let job = nextJob(); job && !signal.aborted; job = nextJob()) {
        const beganMs = clock();
        await readSlice(job, buffer, signal).catch((error: unknown) => (job.fault = error));
        spentMs += clock() - beganMs;
      }
      isWorking = false;
    },
    takeSpentMs() {
      const spent = spentMs;
      spentMs = 0;
      return spent;
    },
  };
}

const leftOf = ({ file, at }: Job): number => file.bytes - at;

const isAlike = (one: FileOnDisk, other: FileOnDisk): boolean =>
  one.bytes === other.bytes && one.modifiedMs === other.modifiedMs;

async function readSlice(job: Job, buffer: Buffer, signal: AbortSignal): Promise<void> {
  const { path, bytes } = job.file;
  const end = Math.min(bytes, job.at + sliceBytes);
  const file = await open(diskPath(path), 'r');
  try {
    while (job.at < end && !signal.aborted) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - job.at), job.at);
      if (bytesRead === 0) throw new Error('it became shorter while it was read');
      job.hash.update(buffer.subarray(0, bytesRead));
      job.at += bytesRead;
    }
  } finally {
    await file.close();
  }
  if (job.at === bytes) job.sha256 = job.hash.digest('hex');
}
