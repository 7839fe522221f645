import type { Db, Fragment } from '../../../platform/database/connect.ts';

/** Whether a clip has the tag `t`. A lookup in the index for each device: a join would read all tags of all clips. */
const isUsed = (db: Db): Fragment => db`
  exists (
    select 1 from devices d
    where (select true from audio_clip_tags a where a.device_id = d.key and a.tag_id = t.key limit 1))`;

/** The next tags by key that people named. */
export async function listTagsOfPeople(db: Db, after: number, most: number) {
  return db<{ key: number; isUsed: boolean }[]>`
    select t.key, ${isUsed(db)} as "isUsed" from tags t
    where t.key > ${after} and t.created_by is not null order by t.key limit ${most}`;
}

/** Locks before it checks: a transaction that adds a tag to a clip holds the tag's lock, so no use is overlooked. */
export async function removeUnusedTags(tx: Db, keys: readonly number[]): Promise<void> {
  const locked = await tx<{ key: number }[]>`
    select key from tags where key = any(${keys as number[]}::bigint[]) order by key for update skip locked`;
  await tx`
    delete from tags t where t.key = any(${locked.map(({ key }) => key)}::bigint[]) and not ${isUsed(tx)}`;
}
