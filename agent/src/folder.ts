import { stat } from 'node:fs/promises';
import { largestFileBytes } from '@earshot/contract/file';
import type { FolderSource } from './config.ts';
import { diskPath, showPath } from './file-name.ts';
import { findSounds } from './find-sounds.ts';
import { noteVanished } from './vanished.ts';
import type { FileOnDisk } from './examine-file.ts';
import { hasGrown, inspectBytes, examineFile } from './examine-file.ts';
import { createHashQueue } from './hash-queue.ts';
import type { Journal } from './journal.ts';
import type { AgentLog } from './log.ts';
import { createNotices, describeError } from './notices.ts';
import { withPossibleStart } from './possible-times.ts';
import type { Entry, FoundRecording } from './recording.ts';
import { isSuspect, isUnchanged } from './recording.ts';

/*
 * Watches a folder that another recorder fills. The life of a file:
 *
 *   found --same size and date at the next look--> still --its container's length reached, or long without growth--> recorded
 *   recorded --another size, date or hash--> found: touched, grown, or another recording under the same name
 *
 * Time is measured between looks, by a clock that nobody sets: dates of files and the clock of the device may be wrong.
 * A known file of which the system says that something changed, although not its size and date, is hashed again, beside
 * the looks: that hint may be wrong.
 * A large file is hashed beside the looks, and recorded by the look that finds its hash.
 * A file that cannot be read is named in the log and tried again at the next look; it never stops the others.
 */

export interface WatchParts {
  readonly journal: Journal;
  readonly log: AgentLog;
  /** Called whenever recordings were added, also during a look. */
  readonly onRecorded: () => void;
  /** Whether the sound of a recording is being uploaded: its entry does not change then. */
  readonly isUploading: (entry: Entry) => boolean;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock?: () => number;
}

interface Seen extends FileOnDisk {
  readonly sinceMs: number;
  /** Nothing more is to be done while the file stays as it is. */
  readonly isLeftOut: boolean;
}

/** Recordings are added together, because each write waits for the disk; after this time without waiting for more. */
const mostAtOnce = 100;
const longestWaitMs = 1_000;
/** The share of time that is spent on files that are already known, to find out whether they have changed. */
const checkShare = 0.05;
const msPerMinute = 60_000;

/** Each call is one look. */
export function watchFolder(parts: WatchParts, source: FolderSource): (signal: AbortSignal) => Promise<void> {
  const { journal, log, onRecorded, isUploading, clock = () => performance.now() } = parts;
  const notices = createNotices(log);
  const buffer = Buffer.allocUnsafe(inspectBytes);
  const hashes = createHashQueue(clock);
  const doubts = createHashQueue(clock);
  /** When files changed that have their former bytes all the same. Not in the journal: some systems tell any time. */
  const confirmed = new Map<string, number>();
  let seen = new Map<string, Seen>();
  let checkFromMs = -Infinity;

  /** What is to be added for a file that did not change since the last look. */
  const examine = async (file: Seen, known: Entry | undefined): Promise<FoundRecording | undefined | 'leftOut'> => {
    const isOverdue = clock() - file.sinceMs >= source.unfinishedMinutes * msPerMinute;
    if (file.bytes === 0) {
      if (isOverdue) notices.note('warning', file.path, 'is empty; it is recorded when it has content.');
      return undefined;
    }
    if (known && isUploading(known)) return undefined;
    const { path, bytes, modifiedMs, changedMs } = file;
    if (bytes > largestFileBytes) {
      const reason = `has ${bytes} bytes and is not sent: a recording has at most ${largestFileBytes}. Split it.`;
      notices.note('error', path, reason);
      return undefined;
    }
    const examined = await examineFile({ path, bytes, modifiedMs, changedMs }, isOverdue, { buffer, hashes });
    if (examined === 'encrypted') return 'leftOut';
    if (typeof examined === 'string') return undefined;
    const recording = withPossibleStart(examined, changedMs);
    if (!known || known.removedBecause !== undefined || known.sha256 === recording.sha256) return recording;
    if (await hasGrown(known, file)) return { ...recording, hasGrown: true };
    if (!known.isUploaded && known.path === path)
      log.write('error', `${showPath(path)} was replaced before its upload; its former sound is lost.`);
    return recording;
  };

  const isAsRecorded = (known: Entry, found: FileOnDisk): boolean => {
    const { path, changedMs } = found;
    if (!isUnchanged(known, found)) return false;
    if (known.sha256 === undefined || !isSuspect(known, found) || confirmed.get(path) === changedMs) return true;
    const sha256 = doubts.find(found);
    if (sha256 === undefined) return true;
    if (sha256 !== known.sha256) return false;
    confirmed.set(path, changedMs);
    doubts.forget(path);
    return true;
  };

  return async (signal) => {
    const beganMs = clock();
    const isCheck = beganMs >= checkFromMs;
    const now = new Map<string, Seen>();
    const paths = new Set<string>();
    let isComplete = true;
    let batch: FoundRecording[] = [];
    let savedMs = beganMs;
    const save = async () => {
      savedMs = clock();
      if (batch.length === 0) return;
      const recordings = batch;
      batch = [];
      await journal.record(...recordings);
      onRecorded();
    };
    const walk = findSounds(source.path, {
      onLeftOut: (path, reason) => notices.note('warning', path, reason),
      onUnreadable: (path, error) => {
        // Without the folder itself, watching it fails.
        if (path === source.path) throw error;
        isComplete = false;
        notices.note('error', path, describeError(error));
      },
    });
    for await (const path of walk) {
      if (signal.aborted) return;
      paths.add(path);
      const entry = journal.findByPath(path);
      const known = entry?.removedBecause === undefined ? entry : undefined;
      if (known && !isCheck && !seen.has(path)) continue;
      try {
        const found = await readFound(path);
        if (known && isAsRecorded(known, found)) continue;
        const before = seen.get(path);
        const isStill = before?.bytes === found.bytes && before.modifiedMs === found.modifiedMs;
        const file = isStill ? before : { ...found, sinceMs: clock(), isLeftOut: false };
        now.set(path, file);
        if (!isStill || file.isLeftOut || clock() - file.sinceMs < source.settleSeconds * 1_000) continue;
        const recording = await examine(file, entry);
        if (recording === 'leftOut') now.set(path, { ...file, isLeftOut: true });
        else if (recording) {
          batch.push(recording);
          // Whatever the file is later, it is read again.
          for (const queue of [hashes, doubts]) queue.forget(path);
          confirmed.delete(path);
        }
      } catch (error) {
        notices.note(isMissing(error) ? 'info' : 'error', path, describeError(error));
      }
      if (batch.length >= mostAtOnce || clock() - savedMs >= longestWaitMs) await save();
    }
    await save();
    seen = now;
    notices.endLook();
    for (const queue of [hashes, doubts]) void queue.work(signal);
    if (!isCheck) return;
    for (const queue of [hashes, doubts]) queue.forgetOthers();
    for (const path of confirmed.keys()) if (!paths.has(path)) confirmed.delete(path);
    if (isComplete && paths.size > 0) await noteVanished({ journal, log }, source.path, paths);
    const endedMs = clock();
    checkFromMs = endedMs + (endedMs - beganMs + doubts.takeSpentMs()) / checkShare;
  };
}

async function readFound(path: string): Promise<FileOnDisk> {
  const found = await stat(diskPath(path));
  if (!found.isFile()) throw Object.assign(new Error('it is no file'), { code: 'EINVAL' });
  return { path, bytes: found.size, modifiedMs: Math.round(found.mtimeMs), changedMs: Math.round(found.ctimeMs) };
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
