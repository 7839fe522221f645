import type { AudioClipHistogramFilter, AudioClipPage, AudioClipPageFilter } from '@earshot/contract/audio-clip-page';
import { getWaveform } from '@earshot/contract/audio-clip-sound';
import { audioClipStatus as clipStatus } from '@earshot/contract/audio-clip-status';
import { mostClipsLookedAt, mostTitlesLookedAt } from '@earshot/contract/audio-clip-page';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { makePage, readCursor } from '../../../platform/page-cursor.ts';
import { readOrder } from './lists.ts';
import type { ClipFilter } from './queries.ts';
import type { CheckedFilter, PagedClip } from './page-queries.ts';
import { lookAtClips, readClipsOfPage } from './page-queries.ts';
import { readList, readRange } from './filter.ts';
import type { CallFilter } from '../radio/queries.ts';
import { listTagsOfClips } from '../tag/queries.ts';

/**
 * A page of clips, starting at the cursor. One clip more than requested is read, to know whether there are more. With a
 * filter by status or title more clips are read than returned; the next page then starts after the last clip that was read.
 */
export async function findClipPage(db: Db, caller: Caller, given: AudioClipPageFilter): Promise<AudioClipPage> {
  const checked = { status: given.audioClipStatus, title: given.title || undefined };
  const cursor = given.cursor === undefined ? undefined : readCursor(given.cursor);
  const { count, ascending } = readOrder(given);
  const most = Math.max(count, mostLookedAt(checked));
  const filter = {
    ...readClipFilter(given),
    ...readRange(given),
    after: cursor && { startMs: cursor.time, key: cursor.key },
    count: most + 1,
    ascending: ascending !== (cursor?.isBack ?? false),
  };
  const found = await lookAtClips(db, caller, filter, checked);
  const looked = found.slice(0, most);
  const fitting = looked.filter(({ fits }) => fits);
  const rows = fitting.slice(0, count);
  const last = fitting.length > count ? rows.at(-1) : looked.at(-1);
  const isMore = fitting.length > count || found.length > most;
  const page = makePage({ cursor, ascending, rows, end: isMore ? last : undefined });
  const results =
    rows.length > 0 ? (await readClipsOfPage(db, caller, page.rows, given.withSpeech ?? false)).map(withWaveform) : [];
  const keys = given.withTags ? results.map(({ key }) => key) : [];
  return {
    results,
    ...(page.next === undefined ? {} : { next: page.next }),
    ...(page.previous === undefined ? {} : { previous: page.previous }),
    ...(last ? { reachedEpoch: Math.floor(last.time / 1000) } : {}),
    ...(given.withTags ? { audioClipTagList: await listTagsOfClips(db, caller, keys, undefined) } : {}),
  };
}

/** How many clips are read for a page, if more than are returned. */
function mostLookedAt({ status, title }: CheckedFilter): number {
  if (title !== undefined) return mostTitlesLookedAt;
  return status === undefined ? 0 : mostClipsLookedAt;
}

/** The conditions of a list, without its range. */
export function readClipFilter(given: AudioClipHistogramFilter): FilterOfClips {
  const devices = readList(given.deviceIDList);
  return {
    devices: devices?.length === 1 ? devices[0] : devices,
    typeID: given.audioClipTypeID,
    tagIDs: readList(given.tagIDList),
    call: readCallFilter(given),
  };
}

type FilterOfClips = Pick<ClipFilter, 'devices' | 'typeID' | 'tagIDs' | 'call'>;

function readCallFilter({ talkgroup, unit, isEmergency }: AudioClipHistogramFilter): CallFilter | undefined {
  const isAny = [talkgroup, unit, isEmergency].every((value) => value === undefined);
  return isAny ? undefined : { talkgroup, unit, isEmergency };
}

/** A clip whose sound is on the server has a waveform. */
const withWaveform = (clip: PagedClip): PagedClip =>
  clip.audioClipStatus === clipStatus.available
    ? { ...clip, waveformURL: getWaveform.path.replace('{audioClipID}', String(clip.key)) }
    : clip;
