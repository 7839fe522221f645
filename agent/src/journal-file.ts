import type { FileHandle } from 'node:fs/promises';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Fact } from './journal-state.ts';
import { saveFolder } from './save-folder.ts';

/** The file of the journal. After a write that failed it is written again as a whole before anything is added. */
export interface JournalFile {
  readonly lines: number;
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** On the disk when it returns. Call it and `rewrite` in turn. */
  append(facts: readonly Fact[]): Promise<void>;
  rewrite(): Promise<void>;
  close(): Promise<void>;
}

const linesAtOnce = 1_000;

/** A disk that is full or cannot be written does not prevent that the journal is read: adding fails, until it can be written. */
export async function openJournalFile(path: string, describe: () => Iterable<Fact>): Promise<JournalFile> {
  let file: FileHandle | undefined;
  let lines = 0;
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = queue.then(work);
    queue = turn.catch(() => {});
    return turn;
  };
  const discard = async () => {
    const old = file;
    file = undefined;
    await old?.close().catch(() => {});
  };
  const rewrite = async (): Promise<FileHandle> => {
    const next = await writeFile(path, describe());
    await discard();
    lines = next.lines;
    file = next.file;
    await saveFolder(dirname(path));
    return file;
  };
  await rewrite().catch(() => {});
  return {
    get lines() {
      return lines;
    },
    inTurn,
    async append(facts) {
      const current = file ?? (await rewrite());
      try {
        await current.appendFile(facts.map(toLine).join(''));
        await current.datasync();
        lines += facts.length;
      } catch (error) {
        // Part of a line may be there, and after a failed flush nothing is certain.
        await discard();
        throw error;
      }
    },
    rewrite: async () => void (await rewrite()),
    close: () => inTurn(discard),
  };
}

const toLine = (fact: Fact): string => `${JSON.stringify(fact)}\n`;

/** Writes another file and renames it, so that a complete journal exists at any moment. */
async function writeFile(path: string, facts: Iterable<Fact>): Promise<{ file: FileHandle; lines: number }> {
  const next = `${path}.next`;
  const file = await open(next, 'w');
  let lines = 0;
  try {
    let text = '';
    for (const fact of facts) {
      text += toLine(fact);
      lines += 1;
      if (lines % linesAtOnce > 0) continue;
      await file.appendFile(text);
      text = '';
    }
    await file.appendFile(text);
    await file.sync();
    await rename(next, path);
    return { file, lines };
  } catch (error) {
    await file.close();
    throw error;
  }
}
