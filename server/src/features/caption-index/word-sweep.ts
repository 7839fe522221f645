import type { Pool } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import { findWordsAfter, isSaid, listWords, removeWords } from './word-queries.ts';

const sweepIntervalMs = 60_000;
const mostAtOnce = 100;

/** Where a sweep continues, and the words that it removed last. */
export interface SweepPlace {
  readonly after: string;
  readonly removed: readonly string[];
}

export const sweepStart: SweepPlace = { after: '', removed: [] };

/** Removes words from the list that occur in no transcript, some in each round, so that names do not outlive recordings. */
export function startWordSweep(db: Pool, log: Log): () => Promise<void> {
  let place = sweepStart;
  const work = async (): Promise<void> => {
    place = await sweepWords(db, place);
  };
  return startLoop('caption words', sweepIntervalMs, work, log);
}

export async function sweepWords(db: Pool, { after, removed }: SweepPlace): Promise<SweepPlace> {
  // A transcript that was being written in the last round, and has committed since, may contain a removed word.
  for (const word of removed) if (await isSaid(db, word)) await listWords(db, [word]);
  const words = await findWordsAfter(db, after, mostAtOnce);
  const unused: string[] = [];
  for (const word of words) if (!(await isSaid(db, word))) unused.push(word);
  if (unused.length > 0) await removeWords(db, unused);
  return { after: words.length < mostAtOnce ? '' : words.at(-1)!, removed: unused };
}
