import { readFile } from 'node:fs/promises';
import type { JournalFile } from './journal-file.ts';
import { openJournalFile } from './journal-file.ts';
import type { Fact } from './journal-state.ts';
import { factsOfEntry, JournalState } from './journal-state.ts';
import type { PendingEvent } from './pending-event.ts';
import type { Entry, FoundRecording, OtherFile, SetAsideNote } from './recording.ts';
import { recordFacts } from './record-facts.ts';

/*
 * What this agent knows about its recordings, in a file that survives a killed process and a power loss. Each line is one
 * fact; facts are only added, and each is on the disk before the next step is taken:
 *
 *   recorded   a recording is complete
 *   changed    its file was touched, or grew before its upload
 *   alsoAt     another file has the same bytes and the same start: one recording, one clip
 *   moved      its file has another path now
 *   dated      its start was moved, because the platform has another recording of that start
 *   announced  the platform has its clip
 *   uploading  the platform receives its sound, at this address
 *   uploaded   the platform has its sound, and whether it has proven that
 *   doubted    the platform says that it does not have that sound
 *   setAside   the platform refused it, and why
 *   removed    its file was removed or replaced, and why
 *   pending    an event that another process of this agent reports, after an update or a restart of the device
 *   ended      the platform has that report
 *   marked     the platform at this address marks its answers, and an answer without the mark is not trusted
 *   proving    the platform at this address proves what it has, and is not believed without
 *
 * Facts name a recording by its id: its path, or its path and a number if an earlier recording had the same path.
 *
 * The last line can be incomplete after a crash: then its step had not finished, and is repeated. Every step may be
 * repeated, because the platform recognises a clip by its device and start.
 */

/** What a call needs to name an entry. */
type Named = Pick<Entry, 'id'>;

export interface Journal {
  /** By their ids, oldest first. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly pending: PendingEvent | undefined;
  /** The recording whose file has this path; undefined if none had it. */
  findByPath(path: string): Entry | undefined;
  setPending(event: PendingEvent): Promise<void>;
  endPending(): Promise<void>;
  /**
   * Adds complete recordings, all with one write. The start is moved by milliseconds if another recording has the same
   * one. What is known is not added again. Other content under a known path is another recording, unless the file has
   * only grown and is not uploaded yet.
   */
  record(...recordings: readonly FoundRecording[]): Promise<void>;
  move(entry: Named, to: OtherFile): Promise<void>;
  /** Moves the start to the next millisecond that no recording of this agent has. */
  moveStart(entry: Pick<Entry, 'id' | 'startMs'>): Promise<void>;
  announce(clips: readonly { readonly entry: Named; readonly clipID: number }[]): Promise<void>;
  setUploadUrl(entry: Named, url: string): Promise<void>;
  setUploaded(entry: Named, isProven: boolean): Promise<void>;
  /** It must be uploaded again. */
  setNotUploaded(entry: Named): Promise<void>;
  /** Origins that have once marked an answer. */
  readonly markedOrigins: ReadonlySet<string>;
  setMarked(origin: string): Promise<void>;
  /** Origins that have once proven to have a recording. */
  readonly provingOrigins: ReadonlySet<string>;
  setProving(origin: string): Promise<void>;
  setAside(entry: Named, refusal: SetAsideNote): Promise<void>;
  /** All with one write. */
  setRemoved(entries: Named | readonly Named[], because: string): Promise<void>;
  /** Forgets what is uploaded and removed, if the journal then has this many lines less. */
  compact(leastLines?: number): Promise<void>;
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly path: string;
  /** Called with lines that cannot be read, other than the last. */
  readonly onDamage: (lines: number) => void;
}

/** Removed recordings that were never uploaded are kept for a while, to say so when somebody asks for them. */
const mostLost = 10_000;

export async function openJournal({ path, onDamage }: JournalOptions): Promise<Journal> {
  const state = new JournalState();
  const damaged = readFacts(await readFile(path, 'utf8').catch(ignoreMissing), state);
  if (damaged > 0) onDamage(damaged);
  const describe = function* (): Generator<Fact> {
    for (const marked of state.marked) yield { marked };
    for (const proving of state.proving) yield { proving };
    if (state.pending) yield { pending: state.pending };
    for (const entry of state.entries.values()) yield* factsOfEntry(entry);
  };
  const file = await openJournalFile(path, describe);
  const add = createAdd(file, state);
  const { entries } = state;

  return {
    entries,
    get pending() {
      return state.pending;
    },
    findByPath: (name) => state.findByPath(name),
    setPending: (pending) => add(() => [{ pending }]),
    endPending: () => add(() => (state.pending ? [{ ended: state.pending.eventID }] : [])),
    record: (...recordings) => add(() => recordFacts(state, recordings)),
    move: ({ id }, to) => add(() => [{ moved: id, ...to }]),
    moveStart: ({ id, startMs }) =>
      add(() => {
        let next = startMs + 1;
        while (state.starts.has(next)) next += 1;
        return [{ dated: id, startMs: next }];
      }),
    announce: (clips) => add(() => clips.map(({ entry, clipID }) => ({ announced: entry.id, clipID }))),
    setUploadUrl: ({ id }, url) => add(() => [{ uploading: id, url }]),
    setUploaded: ({ id }, isProven) => add(() => [{ uploaded: id, isProven }]),
    setNotUploaded: ({ id }) => add(() => [{ doubted: id }]),
    markedOrigins: state.marked,
    setMarked: (marked) => add(() => (state.marked.has(marked) ? [] : [{ marked }])),
    provingOrigins: state.proving,
    setProving: (proving) => add(() => (state.proving.has(proving) ? [] : [{ proving }])),
    setAside: ({ id }, refusal) => add(() => [{ setAside: id, refusal }]),
    setRemoved: (removed, because) => add(() => [removed].flat().map(({ id }) => ({ removed: id, because }))),
    compact: (leastLines = 0) =>
      file.inTurn(async () => {
        const superfluous = new Set(findSuperfluous(state));
        const kept = [...entries.values()].filter((entry) => !superfluous.has(entry));
        const neededLines = kept.reduce((sum, entry) => sum + factsOfEntry(entry).length, 0);
        if (file.lines - neededLines < leastLines) return;
        for (const entry of superfluous) state.forget(entry);
        await file.rewrite();
      }),
    close: () => file.close(),
  };
}

/** One after the other, so that the order in the file is the order of the facts. */
const createAdd =
  (file: JournalFile, state: JournalState) =>
  (makeFacts: () => readonly Fact[]): Promise<void> =>
    file.inTurn(async () => {
      const added = makeFacts();
      if (added.length === 0) return;
      try {
        await file.append(added);
      } catch (error) {
        // The file is written as a whole, with these, once it can be.
        for (const fact of added) if (isHeldWithoutDisk(fact)) state.apply(fact);
        throw error;
      }
      for (const fact of added) state.apply(fact);
    });

/**
 * What the platform said, and what was done, is true whether or not it could be written: on a full disk, files that are
 * uploaded are removed, and one that was refused does not hold up the others. After a crash these steps are repeated.
 */
const isHeldWithoutDisk = (fact: Fact): boolean =>
  ['announced', 'uploading', 'uploaded', 'doubted', 'marked', 'proving', 'setAside', 'removed'].some(
    (kind) => kind in fact,
  );

/** Returns the number of lines that cannot be read. */
function readFacts(text: string, state: JournalState): number {
  const lines = text.split('\n');
  // Without its line break, the last line is incomplete.
  lines.pop();
  let damaged = 0;
  for (const line of lines) {
    try {
      state.apply(JSON.parse(line) as Fact);
    } catch {
      damaged += 1;
    }
  }
  return damaged;
}

function findSuperfluous({ entries }: JournalState): Entry[] {
  const removed = [...entries.values()].filter(({ removedBecause }) => removedBecause !== undefined);
  const lost = removed.filter(({ isUploaded }) => !isUploaded).sort((a, b) => a.startMs - b.startMs);
  return [...removed.filter(({ isUploaded }) => isUploaded), ...lost.slice(0, Math.max(0, lost.length - mostLost))];
}

function ignoreMissing(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
  throw error;
}
