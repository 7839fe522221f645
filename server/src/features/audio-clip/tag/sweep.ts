import type { Db, Fragment, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Log } from '../../../platform/log.ts';
import { startLoop } from '../../../platform/loop.ts';

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
  const found = await db<{ key: number; isUsed: boolean }[]>`
    select t.key, ${isUsed(db)} as "isUsed" from tags t
    where t.key > ${after} and t.created_by is not null order by t.key limit ${mostAtOnce}`;
  const unused = found.filter((tag) => !tag.isUsed).map(({ key }) => key);
  if (unused.length > 0) await inTransaction(db, (tx) => removeUnused(tx, unused));
  return found.length < mostAtOnce ? 0 : (found.at(-1)?.key ?? 0);
}

/** Locks before it checks: a transaction that adds a tag to a clip holds the tag's lock, so no use is overlooked. */
async function removeUnused(tx: Db, keys: readonly number[]): Promise<void> {
  const locked = await tx<{ key: number }[]>`
    select key from tags where key = any(${keys as number[]}::bigint[]) order by key for update skip locked`;
  await tx`
    delete from tags t where t.key = any(${locked.map(({ key }) => key)}::bigint[]) and not ${isUsed(tx)}`;
}

/** As a look at the index for each device: a join would read all tags of all clips. */
const isUsed = (db: Db): Fragment => db`
  exists (
    select 1 from devices d
    where (select true from audio_clip_tags a where a.device_id = d.key and a.tag_id = t.key limit 1))`;
