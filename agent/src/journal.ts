import { open, readFile, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/*
 * What this agent knows about its recordings, in a file that survives a killed process and a power loss. Each line is one
 * fact; facts are only added, and each is on the disk before the next step is taken:
 *
 *   recorded   a recording is complete
 *   announced  the platform has its clip
 *   uploading  the platform receives its sound, at this address
 *   uploaded   the platform has its sound
 *   removed    its file was removed, and why
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
}

export interface Entry extends FinishedRecording {
  readonly clipID?: number | undefined;
  /** The address of an upload that has begun. */
  readonly uploadUrl?: string | undefined;
  readonly isUploaded: boolean;
  readonly removedBecause?: string | undefined;
}

type Fact =
  | { readonly recorded: FinishedRecording }
  | { readonly announced: string; readonly clipID: number }
  | { readonly uploading: string; readonly url: string }
  | { readonly uploaded: string }
  | { readonly removed: string; readonly because: string };

export interface Journal {
  readonly entries: ReadonlyMap<string, Entry>;
  /** Adds a complete recording; the start is moved by milliseconds if another recording has the same one. */
  record(recording: FinishedRecording): Promise<void>;
  announce(clips: readonly { readonly path: string; readonly clipID: number }[]): Promise<void>;
  setUploadUrl(path: string, url: string): Promise<void>;
  setUploaded(path: string): Promise<void>;
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
  const entries = new Map<string, Entry>();
  const starts = new Set<number>();
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  const lines = text.split('\n');
  // Without its line break, the last line is incomplete.
  lines.pop();
  const facts = lines.map(parseFact);
  for (const fact of facts) if (fact) apply(entries, starts, fact);
  const damaged = facts.filter((fact) => fact === undefined).length;
  if (damaged > 0) onDamage(damaged);
  let file = await writeAnew(path, entries);
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
      for (const fact of added) apply(entries, starts, fact);
    });

  return {
    entries,
    record: (recording) =>
      add(() => {
        if (entries.has(recording.path)) return [];
        let { startMs } = recording;
        while (starts.has(startMs)) startMs += 1;
        return [{ recorded: { ...recording, startMs } }];
      }),
    announce: (clips) => add(() => clips.map(({ path: announced, clipID }) => ({ announced, clipID }))),
    setUploadUrl: (uploading, url) => add(() => [{ uploading, url }]),
    setUploaded: (uploaded) => add(() => [{ uploaded }]),
    setRemoved: (removed, because) => add(() => [{ removed, because }]),
    compact: () =>
      inTurn(async () => {
        for (const [name, entry] of entries) {
          if (!entry.isUploaded || entry.removedBecause === undefined) continue;
          entries.delete(name);
          starts.delete(entry.startMs);
        }
        const old = file;
        file = await writeAnew(path, entries);
        await old.close();
      }),
    close: () => inTurn(() => file.close()),
  };
}

function apply(entries: Map<string, Entry>, starts: Set<number>, fact: Fact): void {
  const change = (path: string, changes: Partial<Entry>) => {
    const entry = entries.get(path);
    if (entry) entries.set(path, { ...entry, ...changes });
  };
  if ('recorded' in fact) {
    entries.set(fact.recorded.path, { ...fact.recorded, isUploaded: false });
    starts.add(fact.recorded.startMs);
  } else if ('announced' in fact) change(fact.announced, { clipID: fact.clipID });
  else if ('uploading' in fact) change(fact.uploading, { uploadUrl: fact.url });
  else if ('uploaded' in fact) change(fact.uploaded, { isUploaded: true, uploadUrl: undefined });
  else change(fact.removed, { removedBecause: fact.because });
}

function factsOf({ clipID, uploadUrl, isUploaded, removedBecause, ...recorded }: Entry): Fact[] {
  const { path } = recorded;
  return [
    { recorded },
    ...(clipID === undefined ? [] : [{ announced: path, clipID }]),
    ...(uploadUrl === undefined ? [] : [{ uploading: path, url: uploadUrl }]),
    ...(isUploaded ? [{ uploaded: path }] : []),
    ...(removedBecause === undefined ? [] : [{ removed: path, because: removedBecause }]),
  ];
}

/** Writes another file and renames it, so that a complete journal exists at any moment. */
async function writeAnew(path: string, entries: ReadonlyMap<string, Entry>): Promise<FileHandle> {
  const next = `${path}.next`;
  const file = await open(next, 'w');
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

/** A rename is on the disk only after its folder is. */
export async function saveFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync();
  await folder.close();
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
