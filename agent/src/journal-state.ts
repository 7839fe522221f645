import type { PendingEvent } from './pending-event.ts';
import type { RecordedContent, Entry, FinishedRecording, OtherFile, SetAsideNote } from './recording.ts';
import { possibleDuration } from './possible-times.ts';
import { filesOf } from './recording.ts';

/** One line of the journal. A version that does not know a fact passes it over. */
export type Fact =
  | { readonly pending: PendingEvent }
  | { readonly ended: number }
  | { readonly recorded: RecordedFact }
  | { readonly changed: string; readonly content: RecordedContent }
  | ({ readonly alsoAt: string } & OtherFile)
  | ({ readonly moved: string } & OtherFile)
  | { readonly announced: string; readonly clipID: number }
  | { readonly dated: string; readonly startMs: number }
  | { readonly uploading: string; readonly url: string }
  | { readonly uploaded: string; readonly isProven?: boolean }
  | { readonly doubted: string }
  | { readonly marked: string }
  | { readonly proving: string }
  | { readonly setAside: string; readonly refusal: SetAsideNote }
  | { readonly removed: string; readonly because: string };

/** What equals the path or the start is left out, as in journals of agents before 0.2. */
type RecordedFact = FinishedRecording & { readonly id?: string; readonly givenStartMs?: number };

/** All facts together, with what is looked up by path, start and hash. */
export class JournalState {
  readonly entries = new Map<string, Entry>();
  readonly starts = new Set<number>();
  /** Where to look for a free start, for given starts that several recordings have. */
  readonly nextStarts = new Map<number, number>();
  pending: PendingEvent | undefined;
  /** Origins that have once marked an answer. */
  readonly marked = new Set<string>();
  /** Origins that have once proven to have a recording. */
  readonly proving = new Set<string>();
  /** The newest entry with this path. */
  readonly #byPath = new Map<string, string>();
  readonly #byContent = new Map<string, string>();

  findByPath(path: string): Entry | undefined {
    const id = this.#byPath.get(path);
    return id === undefined ? undefined : this.entries.get(id);
  }

  /** The same recording: the same bytes, the same start, the same radio channel. */
  findSame(recording: FinishedRecording): Entry | undefined {
    const id = this.#byContent.get(contentKey(recording, recording.startMs));
    const entry = id === undefined ? undefined : this.entries.get(id);
    return entry?.sha256 !== undefined && entry.sha256 === recording.sha256 ? entry : undefined;
  }

  apply(fact: Fact): void {
    if ('recorded' in fact) this.#put(readRecorded(fact.recorded));
    else if ('changed' in fact) {
      // Other bytes: what was said about the former ones no longer holds.
      this.#change(fact.changed, (entry) =>
        hasOtherBytes(entry, fact.content)
          ? { ...fact.content, uploadUrl: undefined, setAside: undefined, ...isThereAgain(entry) }
          : { ...fact.content, ...isThereAgain(entry) },
      );
    } else if ('alsoAt' in fact) {
      const { path, modifiedMs, changedMs } = fact;
      const file = { path, modifiedMs, ...(changedMs === undefined ? {} : { changedMs }) };
      this.#change(fact.alsoAt, (entry) => ({ otherFiles: [...othersThan(entry, path), file] }));
    } else if ('moved' in fact) {
      const { path, modifiedMs, changedMs } = fact;
      this.#change(fact.moved, (entry) => ({
        path,
        modifiedMs,
        changedMs,
        otherFiles: othersThan(entry, path),
        ...isThereAgain(entry),
      }));
    } else if ('dated' in fact) {
      this.#change(fact.dated, () => ({ startMs: fact.startMs }));
    } else if ('announced' in fact) {
      this.#change(fact.announced, () => ({ clipID: fact.clipID, setAside: undefined }));
    } else if ('uploading' in fact) this.#change(fact.uploading, () => ({ uploadUrl: fact.url }));
    else if ('uploaded' in fact) {
      const { isProven } = fact;
      this.#change(fact.uploaded, () => ({ isUploaded: true, isProven, uploadUrl: undefined, setAside: undefined }));
    } else if ('doubted' in fact) {
      this.#change(fact.doubted, () => ({ isUploaded: false, isProven: undefined, uploadUrl: undefined }));
    } else if ('marked' in fact) this.marked.add(fact.marked);
    else if ('proving' in fact) this.proving.add(fact.proving);
    else if ('setAside' in fact) this.#change(fact.setAside, () => ({ setAside: fact.refusal }));
    else if ('removed' in fact)
      this.#change(fact.removed, () => ({ removedBecause: fact.because, setAside: undefined }));
    else if ('pending' in fact) this.pending = fact.pending;
    else if ('ended' in fact) this.pending = undefined;
  }

  forget(entry: Entry): void {
    this.#unindex(entry);
    this.entries.delete(entry.id);
    this.starts.delete(entry.startMs);
    this.nextStarts.delete(entry.givenStartMs);
  }

  #change(id: string, changesOf: (entry: Entry) => Partial<Entry>): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    const changed = { ...entry, ...changesOf(entry) };
    if (isFoundAlike(entry, changed)) return void this.entries.set(id, changed);
    this.#unindex(entry);
    this.#put(changed);
  }

  #put(entry: Entry): void {
    this.entries.set(entry.id, entry);
    this.starts.add(entry.startMs);
    if (entry.startMs > entry.givenStartMs) this.nextStarts.set(entry.givenStartMs, entry.startMs + 1);
    for (const { path } of filesOf(entry)) {
      const other = this.findByPath(path);
      if (!other || isNewer(entry, other, path)) this.#byPath.set(path, entry.id);
    }
    this.#byContent.set(contentKey(entry, entry.givenStartMs), entry.id);
  }

  #unindex(entry: Entry): void {
    const { id } = entry;
    for (const { path } of filesOf(entry)) if (this.#byPath.get(path) === id) this.#byPath.delete(path);
    const key = contentKey(entry, entry.givenStartMs);
    if (this.#byContent.get(key) === id) this.#byContent.delete(key);
  }
}

/** The same in two files of one recording. Two calls of one second may both be silent. */
export const contentKey = ({ sha256, call }: FinishedRecording, givenStartMs: number): string =>
  `${sha256?.slice(0, 16) ?? ''}-${givenStartMs}-${call?.talkgroup ?? ''}`;

/** Most facts change nothing that recordings are found by. */
const isFoundAlike = (one: Entry, other: Entry): boolean =>
  one.path === other.path &&
  one.otherFiles === other.otherFiles &&
  one.sha256 === other.sha256 &&
  one.startMs === other.startMs &&
  one.removedBecause === other.removedBecause;

/** A recording that was removed and is there again may since have been removed from the platform as well. */
const isThereAgain = ({ removedBecause, isProven }: Entry): Partial<Entry> => ({
  removedBecause: undefined,
  isProven: removedBecause === undefined ? isProven : undefined,
});

const hasOtherBytes = (entry: RecordedContent, { sha256, bytes }: RecordedContent): boolean =>
  entry.sha256 !== sha256 || entry.bytes !== bytes;

const othersThan = ({ otherFiles = [] }: Entry, path: string): readonly OtherFile[] =>
  otherFiles.filter((file) => file.path !== path);

/** Of two recordings with one path, the file is that of the one that is not removed, else of the later one. */
function isNewer(entry: Entry, other: Entry, path: string): boolean {
  const isThere = entry.removedBecause === undefined;
  if (isThere !== (other.removedBecause === undefined)) return isThere;
  const isMain = entry.path === path;
  return isMain === (other.path === path) ? numberOf(entry) >= numberOf(other) : isMain;
}

const separator = '\0';
const numberOf = ({ id }: Entry): number => Number(id.split(separator)[1] ?? 1);

/** The path itself if it is free: agents before 0.2, which know nothing else, understand these facts too. */
export function freeId(path: string, isTaken: (id: string) => boolean): string {
  if (!isTaken(path)) return path;
  let number = 2;
  while (isTaken(`${path}${separator}${number}`)) number += 1;
  return `${path}${separator}${number}`;
}

const readRecorded = ({ id, givenStartMs, ...recorded }: RecordedFact): Entry => ({
  ...recorded,
  // Earlier agents kept what the header said.
  durationMs: possibleDuration(recorded.durationMs, recorded.startMs),
  id: id ?? recorded.path,
  givenStartMs: givenStartMs ?? recorded.startMs,
  isUploaded: false,
});

/** The facts that make an entry again. */
export function factsOfEntry(entry: Entry): Fact[] {
  const { id, givenStartMs, otherFiles, clipID, uploadUrl, isUploaded, isProven, ...others } = entry;
  const { removedBecause, setAside, ...recorded } = others;
  return [
    {
      recorded: {
        ...recorded,
        ...(id === recorded.path ? {} : { id }),
        ...(givenStartMs === recorded.startMs ? {} : { givenStartMs }),
      },
    },
    ...(otherFiles ?? []).map((file) => ({ alsoAt: id, ...file })),
    ...(clipID === undefined ? [] : [{ announced: id, clipID }]),
    ...(uploadUrl === undefined ? [] : [{ uploading: id, url: uploadUrl }]),
    ...(isUploaded ? [{ uploaded: id, ...(isProven === undefined ? {} : { isProven }) }] : []),
    ...(removedBecause === undefined ? [] : [{ removed: id, because: removedBecause }]),
    ...(setAside === undefined ? [] : [{ setAside: id, refusal: setAside }]),
  ];
}
