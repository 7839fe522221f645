import { open, readFile, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CallFacts } from './radio-call.ts';
import { saveFolder } from './save-folder.ts';

/*
 * What this agent knows about its recordings, in a file that survives a killed process and a power loss. Each line is one
 * fact; facts are only added, and each is on the disk before the next step is taken:
 *
 *   recorded   a recording is complete
 *   announced  the platform has its clip
 *   uploading  the platform receives its sound, at this address
 *   uploaded   the platform has its sound, and whether it has proven that
 *   doubted    the platform says that it does not have that sound
 *   removed    its file was removed, and why
 *   pending    an event that another process of this agent reports, after an update or a restart of the device
 *   ended      the platform has that report
 *   marked     the platform at this address marks its answers, and is not believed without
 *
 * The last line can be incomplete after a crash: then its step had not finished, and is repeated. Every step may be
 * repeated, because the platform recognises a clip by its device and start.
 */

export interface FinishedRecording {
  /** The path of its file, which identifies it. */
  readonly path: string;
  readonly bytes: number;
  /** Unique on this device. */
  readonly startMs: number;
  /** Undefined if it is not known. */
  readonly durationMs?: number | undefined;
  readonly modifiedMs: number;
  /** Whether this agent made the file, so that it may remove it. */
  readonly isOwn: boolean;
  /** What a recorder of a radio system wrote about it. */
  readonly call?: CallFacts | undefined;
}

export interface Entry extends FinishedRecording {
  readonly clipID?: number | undefined;
  /** The address of an upload that has begun. */
  readonly uploadUrl?: string | undefined;
  readonly isUploaded: boolean;
  /** Not set by agents before 0.2. */
  readonly isProven?: boolean | undefined;
  readonly removedBecause?: string | undefined;
}

/** The platform's event that this agent holds, as it was taken. */
export interface HeldEvent {
  readonly eventID: number;
  readonly takeID: string;
  readonly processID: number;
}

/** An event whose end another process reports. */
export type PendingEvent = PendingUpdate | PendingReboot;

export interface PendingUpdate extends HeldEvent {
  readonly kind: 'update';
  /** The hashes of the versions. */
  readonly from: string;
  readonly to: string;
  readonly fromVersion: string;
  readonly toVersion: string;
}

export interface PendingReboot extends HeldEvent {
  readonly kind: 'reboot';
  /** The system's id of the time since its start, before it was restarted. */
  readonly bootID: string;
}

type Fact =
  | { readonly pending: PendingEvent }
  | { readonly ended: number }
  | { readonly recorded: FinishedRecording }
  | { readonly announced: string; readonly clipID: number }
  | { readonly uploading: string; readonly url: string }
  | { readonly uploaded: string; readonly isProven?: boolean }
  | { readonly doubted: string }
  | { readonly marked: string }
  | { readonly removed: string; readonly because: string };

export interface Journal {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly pending: PendingEvent | undefined;
  setPending(event: PendingEvent): Promise<void>;
  endPending(): Promise<void>;
  /** Adds a complete recording; the start is moved by milliseconds if another recording has the same one. */
  record(recording: FinishedRecording): Promise<void>;
  announce(clips: readonly { readonly path: string; readonly clipID: number }[]): Promise<void>;
  setUploadUrl(path: string, url: string): Promise<void>;
  setUploaded(path: string, isProven: boolean): Promise<void>;
  /** It must be uploaded again. */
  setNotUploaded(path: string): Promise<void>;
  /** Origins that have once marked an answer. */
  readonly markedOrigins: ReadonlySet<string>;
  setMarked(origin: string): Promise<void>;
  setRemoved(path: string, because: string): Promise<void>;
  /** Forgets recordings that are uploaded and removed. */
  compact(): Promise<void>;
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly path: string;
  /** Called with lines that cannot be read, other than the last. */
  readonly onDamage: (lines: number) => void;
}

export async function openJournal({ path, onDamage }: JournalOptions): Promise<Journal> {
  const state: State = { entries: new Map(), starts: new Set(), pending: undefined, marked: new Set() };
  const { entries, starts } = state;
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  const lines = text.split('\n');
  // Without its line break, the last line is incomplete.
  lines.pop();
  const facts = lines.map(parseFact);
  for (const fact of facts) if (fact) apply(state, fact);
  const damaged = facts.filter((fact) => fact === undefined).length;
  if (damaged > 0) onDamage(damaged);
  let file = await writeAnew(path, state);
  let queue: Promise<unknown> = Promise.resolve();

  /** One after the other, so that the order in the file is the order of the facts. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = queue.then(work);
    queue = turn.catch(() => {});
    return turn;
  };
  const add = (makeFacts: () => readonly Fact[]): Promise<void> =>
    inTurn(async () => {
      const added = makeFacts();
      if (added.length === 0) return;
      await file.appendFile(added.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
      await file.datasync();
      for (const fact of added) apply(state, fact);
    });

  return {
    entries,
    get pending() {
      return state.pending;
    },
    setPending: (pending) => add(() => [{ pending }]),
    endPending: () => add(() => (state.pending ? [{ ended: state.pending.eventID }] : [])),
    record: (recording) =>
      add(() => {
        if (entries.has(recording.path)) return [];
        let { startMs } = recording;
        while (starts.has(startMs)) startMs += 1;
        return [{ recorded: { ...recording, startMs } }];
      }),
    announce: (clips) => add(() => clips.map(({ path: announced, clipID }) => ({ announced, clipID }))),
    setUploadUrl: (uploading, url) => add(() => [{ uploading, url }]),
    setUploaded: (uploaded, isProven) => add(() => [{ uploaded, isProven }]),
    setNotUploaded: (doubted) => add(() => [{ doubted }]),
    markedOrigins: state.marked,
    setMarked: (marked) => add(() => (state.marked.has(marked) ? [] : [{ marked }])),
    setRemoved: (removed, because) => add(() => [{ removed, because }]),
    compact: () =>
      inTurn(async () => {
        for (const [name, entry] of entries) {
          if (!entry.isUploaded || entry.removedBecause === undefined) continue;
          entries.delete(name);
          starts.delete(entry.startMs);
        }
        const old = file;
        file = await writeAnew(path, state);
        await old.close();
      }),
    close: () => inTurn(() => file.close()),
  };
}

interface State {
  readonly entries: Map<string, Entry>;
  readonly starts: Set<number>;
  pending: PendingEvent | undefined;
  readonly marked: Set<string>;
}

/** Facts of a newer version, which an update that failed may leave, are passed over. */
function apply(state: State, fact: Fact): void {
  const { entries, starts } = state;
  const change = (path: string, changes: Partial<Entry>) => {
    const entry = entries.get(path);
    if (entry) entries.set(path, { ...entry, ...changes });
  };
  if ('recorded' in fact) {
    entries.set(fact.recorded.path, { ...fact.recorded, isUploaded: false });
    starts.add(fact.recorded.startMs);
  } else if ('announced' in fact) change(fact.announced, { clipID: fact.clipID });
  else if ('uploading' in fact) change(fact.uploading, { uploadUrl: fact.url });
  else if ('uploaded' in fact)
    change(fact.uploaded, { isUploaded: true, isProven: fact.isProven, uploadUrl: undefined });
  else if ('doubted' in fact) change(fact.doubted, { isUploaded: false, isProven: undefined, uploadUrl: undefined });
  else if ('marked' in fact) state.marked.add(fact.marked);
  else if ('removed' in fact) change(fact.removed, { removedBecause: fact.because });
  else if ('pending' in fact) state.pending = fact.pending;
  else if ('ended' in fact) state.pending = undefined;
}

function factsOf({ clipID, uploadUrl, isUploaded, isProven, removedBecause, ...recorded }: Entry): Fact[] {
  const { path } = recorded;
  return [
    { recorded },
    ...(clipID === undefined ? [] : [{ announced: path, clipID }]),
    ...(uploadUrl === undefined ? [] : [{ uploading: path, url: uploadUrl }]),
    ...(isUploaded ? [{ uploaded: path, ...(isProven === undefined ? {} : { isProven }) }] : []),
    ...(removedBecause === undefined ? [] : [{ removed: path, because: removedBecause }]),
  ];
}

/** Writes another file and renames it, so that a complete journal exists at any moment. */
async function writeAnew(path: string, { entries, pending, marked }: State): Promise<FileHandle> {
  const next = `${path}.next`;
  const file = await open(next, 'w');
  for (const origin of marked) await file.appendFile(`${JSON.stringify({ marked: origin })}\n`);
  if (pending) await file.appendFile(`${JSON.stringify({ pending })}\n`);
  for (const entry of entries.values()) {
    await file.appendFile(
      factsOf(entry)
        .map((fact) => `${JSON.stringify(fact)}\n`)
        .join(''),
    );
  }
  await file.sync();
  await rename(next, path);
  await saveFolder(dirname(path));
  return file;
}

function parseFact(line: string): Fact | undefined {
  try {
    const fact = JSON.parse(line) as unknown;
    return typeof fact === 'object' && fact !== null ? (fact as Fact) : undefined;
  } catch {
    return undefined;
  }
}

function ignoreMissing(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
  throw error;
}
