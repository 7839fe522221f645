import { createBackoff } from './backoff.ts';
import { judgeFailure } from './failure.ts';
import { showPath } from './file-name.ts';
import type { Journal } from './journal.ts';
import type { AgentLog } from './log.ts';
import { reasonOf } from './loop.ts';
import type { Entry } from './recording.ts';
import type { RefusedRecordings } from './set-aside.ts';
import { FileMissing, FileReplaced } from './transfer.ts';
import { noteMissingFile, noteReplacedFile } from './vanished.ts';

/*
 * Uploads recordings one after the other; large ones beside the others. A recording that fails never holds up the next one:
 *
 *   refused by the platform  set aside, with the reason
 *   offline                  the whole queue waits, and nothing is held against the recording
 *   file missing or changed  noted as removed, if no look at its folder finds out; else left to that look
 *   anything else            that recording waits, longer after each failure in which nothing more of it arrived
 *
 * An uploaded recording whose file could not be removed yet is tried again in the same way.
 */

export interface QueueParts {
  readonly journal: Journal;
  readonly log: AgentLog;
  readonly refused: RefusedRecordings;
  readonly upload: (entry: Entry, signal: AbortSignal, onProgress?: (bytes: number) => void) => Promise<void>;
  /** Whether recordings are uploaded that nobody asked for. */
  readonly isAtOnce: () => boolean;
  /** Whether the file of an uploaded recording is to be removed, which `upload` does too; none when missing. */
  readonly isRemovable?: (entry: Entry) => boolean;
  readonly clock?: () => number;
}

export type UploadOutcome =
  | { readonly state: 'uploaded' }
  | { readonly state: 'failed'; readonly reason: string }
  | {
      readonly state: 'later';
      readonly reason: string;
      readonly delayMs: number;
      /** Whether the platform has more of it than ever before. */
      readonly isFurther: boolean;
    };

export interface UploadQueue {
  /** Uploads everything of a lane that is due. Returns the time until something may be due again. */
  run(signal: AbortSignal, isOfLane?: (entry: Entry) => boolean): Promise<number>;
  /** Uploads one recording now. Throws only if the signal aborts. */
  upload(entry: Entry, signal: AbortSignal, onProgress?: (bytes: number) => void): Promise<UploadOutcome>;
  isUploading(entry: Entry): boolean;
  /** The platform has answered another request, so a queue that is offline need not wait long. */
  setReachable(): void;
  /** Lets everything be tried again now. */
  retryAll(): void;
  /** Why single recordings wait, by their ids. */
  readonly delayed: ReadonlyMap<string, string>;
}

const longestIdleMs = 600_000;
const reachableDelayMs = 60_000;
const everything = '';

export function createUploadQueue(parts: QueueParts): UploadQueue {
  const { journal, log, refused, isAtOnce, isRemovable = () => false, clock = () => performance.now() } = parts;
  const files = createBackoff(clock);
  const queue = createBackoff(clock);
  const uploading = new Map<string, Promise<unknown>>();
  const logged = new Map<string, string>();
  /** How many bytes of recordings that failed the platform has. */
  const reached = new Map<string, number>();
  let failedMs = 0;

  const judge = async (entry: Entry, error: unknown, isFurther: boolean): Promise<UploadOutcome> => {
    const reason = reasonOf(error);
    if (error instanceof FileReplaced) {
      await noteReplacedFile({ journal, log }, entry);
      return { state: 'failed', reason };
    }
    if (error instanceof FileMissing && (await noteMissingFile({ journal, log }, entry)))
      return { state: 'failed', reason };
    const failure = judgeFailure(error);
    if (failure === 'refused') {
      await refused.refuse(entry, error);
      return { state: 'failed', reason };
    }
    failedMs = clock();
    if (failure === 'offline') return { state: 'later', reason, delayMs: queue.fail(everything, error), isFurther };
    return delay(entry, error, isFurther);
  };

  const delay = (entry: Entry, error: unknown, isFurther: boolean): UploadOutcome => {
    const reason = reasonOf(error);
    if (logged.get(entry.id) !== reason) log.write('warning', `uploading ${showPath(entry.path)}: ${reason}`);
    logged.set(entry.id, reason);
    return { state: 'later', reason, delayMs: files.fail(entry.id, error), isFurther };
  };

  const attempt = async (
    id: string,
    signal: AbortSignal,
    onProgress?: (bytes: number) => void,
  ): Promise<UploadOutcome> => {
    const entry = journal.entries.get(id);
    if (!entry || (entry.isUploaded && entry.removedBecause !== undefined)) return { state: 'uploaded' };
    let isFurther = false;
    const note = (bytes: number) => {
      if (bytes > (reached.get(id) ?? 0)) {
        isFurther = true;
        reached.set(id, bytes);
      }
      onProgress?.(bytes);
    };
    const forgive = () => {
      files.succeed(id);
      queue.succeed(everything);
    };
    try {
      await parts.upload(entry, signal, note);
      forgive();
      logged.delete(id);
      reached.delete(id);
      return { state: 'uploaded' };
    } catch (error) {
      signal.throwIfAborted();
      // A full disk is no reason to stop: what could not be noted delays this recording alone.
      if (isFurther) forgive();
      return judge(entry, error, isFurther).catch((fault: unknown) => delay(entry, fault, isFurther));
    }
  };

  const upload: UploadQueue['upload'] = async ({ id }, signal, onProgress) => {
    // The queue and an event may want the same recording.
    while (uploading.has(id)) {
      await uploading.get(id)?.catch(() => {});
      if (journal.entries.get(id)?.isUploaded !== false) return { state: 'uploaded' };
    }
    const running = attempt(id, signal, onProgress).finally(() => uploading.delete(id));
    uploading.set(id, running);
    return running;
  };

  const isDue = (entry: Entry): boolean =>
    entry.clipID !== undefined &&
    entry.removedBecause === undefined &&
    (entry.isUploaded ? isRemovable(entry) : isAtOnce() || entry.setAside !== undefined) &&
    files.isDue(entry.id) &&
    refused.mayTry(entry);

  return {
    async run(signal, isOfLane = () => true) {
      for (const { id } of journal.entries.values()) {
        if (signal.aborted || !queue.isDue(everything)) break;
        const entry = journal.entries.get(id);
        if (entry && isOfLane(entry) && isDue(entry)) await upload(entry, signal);
      }
      return Math.min(longestIdleMs, queue.isDue(everything) ? files.nextMs() : queue.nextMs());
    },
    upload,
    isUploading: ({ id }) => uploading.has(id),
    setReachable() {
      if (!queue.isDue(everything) && clock() - failedMs >= reachableDelayMs) queue.clear();
    },
    retryAll() {
      files.clear();
      queue.clear();
    },
    delayed: files.reasons,
  };
}
