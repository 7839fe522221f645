import type { Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Log } from '../../../platform/log.ts';
import { startLoop } from '../../../platform/loop.ts';
import { listTagsOfPeople, removeUnusedTags } from './sweep-queries.ts';

/** Each costs a look at the index for every device, until one is found that has the tag. */
const mostAtOnce = 20;

/**
 * Removes the names that people gave to tags and that no clip has any more, some in each round, so that their words do
 * not outlive recordings. Labels of the engine are no one's words, and saved searches name them by their keys.
 */
export function startTagSweep(db: Pool, log: Log, everyMs: number): () => Promise<void> {
  let after = 0;
  const sweep = async (): Promise<void> => {
    after = await sweepTags(db, after);
  };
  return startLoop('tags', everyMs, sweep, log);
}

/** Checks some tags after the given one. Returns where the next call continues. */
export async function sweepTags(db: Pool, after: number): Promise<number> {
  const found = await listTagsOfPeople(db, after, mostAtOnce);
  const unused = found.filter((tag) => !tag.isUsed).map(({ key }) => key);
  if (unused.length > 0) await inTransaction(db, (tx) => removeUnusedTags(tx, unused));
  const last = found.at(-1);
  return last && found.length === mostAtOnce ? last.key : 0;
}
