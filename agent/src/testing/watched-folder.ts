import type { FileHandle } from 'node:fs/promises';
import { mkdir, mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';
import { watchFolder } from '../folder.ts';
import type { Journal } from '../journal.ts';
import { openJournal } from '../journal.ts';
import { createLog } from '../log.ts';
import type { Entry } from '../recording.ts';
import { wavHeader } from '../wav.ts';

/** A folder to watch and a journal for each test. Call it at the top of the file. */
export function prepareWatchedFolder() {
  let folder: string;
  let recordings: string;
  let journal: Journal;
  let lines: string[];
  let countReads: () => number;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'earshot-looks-'));
    recordings = join(folder, 'recordings');
    await mkdir(recordings);
    journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
    lines = [];
    const probe = await open(join(folder, 'journal'), 'r');
    const read = vi.spyOn(Object.getPrototypeOf(probe) as FileHandle, 'read');
    await probe.close();
    countReads = () => read.mock.calls.splice(0).length;
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await journal.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** `costMs`: how far the clock goes each time it is read, as if each step of a look took that long. */
  function watch({
    costMs = 0,
    unfinishedMinutes = 10,
    isUploading = () => false,
  }: {
    costMs?: number;
    unfinishedMinutes?: number;
    isUploading?: (entry: Entry) => boolean;
  }) {
    const now = { ms: 0, costMs };
    const onRecorded = vi.fn<() => void>();
    const look = watchFolder(
      {
        journal,
        log: createLog((line) => lines.push(line.replace(/^\S+ /, '').replaceAll(`${recordings}/`, ''))),
        onRecorded,
        isUploading,
        clock: () => (now.ms += now.costMs),
      },
      { kind: 'folder', path: recordings, settleSeconds: 5, unfinishedMinutes, removeUploaded: false },
    );
    return {
      now,
      onRecorded,
      look: (signal = new AbortController().signal) => {
        countReads();
        return look(signal);
      },
    };
  }

  let lastChangeMs = 0;
  /** File systems count time in ticks: a file that was written twice in one tick could not be told apart. */
  async function put(name: string, bytes = 1_000, value = 1): Promise<void> {
    const path = join(recordings, name);
    const before = lastChangeMs;
    while (lastChangeMs === before) {
      await writeFile(path, Buffer.concat([wavHeader(bytes), Buffer.alloc(bytes, value)]));
      lastChangeMs = Math.round((await stat(path)).ctimeMs);
    }
  }

  return {
    get folder() {
      return folder;
    },
    get recordings() {
      return recordings;
    },
    get journal() {
      return journal;
    },
    get lines() {
      return lines;
    },
    /** How often a file was read since the last look began. */
    countReads: () => countReads(),
    put,
    names: () => [...journal.entries.values()].map(({ path }) => basename(path)),
    watch,
  };
}
