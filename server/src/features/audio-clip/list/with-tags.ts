import type { AudioClipListWithTags, GetTagListForDeviceList } from '@earshot/contract/audio-clip-list';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { listClips, transcript } from './queries.ts';
import { readOrder } from './lists.ts';
import type { Range } from './filter.ts';
import { readList, readRange } from './filter.ts';
import { resolveTerms } from '../../caption-index/public.ts';
import type { CarriedTag, Moments, StoredTag } from '../tag/queries.ts';
import { listTagsOfClips } from '../tag/queries.ts';

const minuteMs = 60_000;

/** Clips with their transcripts and tags, and the distinct tags. */
export async function findClipsWithTags(
  db: Db,
  caller: Caller,
  given: GetTagListForDeviceList,
  minutes: number | undefined,
): Promise<AudioClipListWithTags> {
  const range = readRange(given);
  const recent = minutes === undefined ? undefined : lastMinutes(minutes, range);
  const filter = {
    devices: readList(given.deviceIDList),
    ...(recent ?? range),
    ...readOrder(given),
    tagIDs: readList(given.tagIDList),
    terms: given.searchText?.trim() ? (await resolveTerms(db, given.searchText)).terms : undefined,
  };
  const audioClipList = await listClips(db, caller, filter, transcript);
  const keys = audioClipList.map(({ key }) => key);
  const audioClipTagList = keys.length > 0 ? await listTagsOfClips(db, caller, keys, recent) : [];
  return { audioClipList, audioClipTagList, tagList: tagsAmong(audioClipTagList) };
}

/** The distinct tags among these, by key. */
function tagsAmong(carried: readonly CarriedTag[]): StoredTag[] {
  const tags = new Map<number, StoredTag>();
  for (const { tagID, tagName, ...rest } of carried) {
    const { tagCreationDate: creationDate, tagCreatedBy: createdBy } = rest;
    const { tagModifiedDate: lastModifiedDate, tagModifiedBy: lastModifiedBy } = rest;
    tags.set(tagID, { key: tagID, tagName, creationDate, createdBy, lastModifiedDate, lastModifiedBy } as StoredTag);
  }
  return [...tags.values()].toSorted((a, b) => a.key - b.key);
}

/** The last minutes before the end of the range, or before now, limited by the start of the range. */
function lastMinutes(minutes: number, { fromMs = 0, toMs = Date.now() }: Range): Moments {
  return { fromMs: Math.max(fromMs, toMs - minutes * minuteMs), toMs };
}
