import type { AudioClipHistogram, AudioClipHistogramFilter } from '@earshot/contract/audio-clip-page';
import { mostBuckets, mostClipsCounted } from '@earshot/contract/audio-clip-page';
import { latestEpoch } from '@earshot/contract/values';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { countAllStarts, countDevices, countStarts } from './histogram-queries.ts';
import { readClipFilter } from './page.ts';
import { lookAtClips } from './page-queries.ts';
import type { ClipFilter } from './queries.ts';
import { readRange } from './filter.ts';

/*
 * The cost does not depend on the number of clips. First the range is read along the index of each device, up to a share of
 * `mostClipsCounted`. If a device has more clips, each bucket is read by itself, again up to a share, and the rest is
 * estimated. Many devices get fewer buckets, so that the number of index lookups is limited too.
 */

const defaultBuckets = 100;
/** Index lookups of one histogram: one for each device and bucket. */
const mostLookups = 20_000;
/** The status is in no index, so each clip must be read itself. */
const costOfStatus = 5;
const leastBuckets = 24;
/** Fewer clips than this give no useful estimate. */
const leastShare = 10;

export async function readHistogram(
  db: Db,
  caller: Caller,
  given: AudioClipHistogramFilter,
): Promise<AudioClipHistogram> {
  const filter = { ...readClipFilter(given), fromMs: undefined, toMs: undefined, ascending: true, count: 1 };
  const range = await rangeOf(db, caller, filter, given);
  if (!range) return { bucketSeconds: 0, bucketList: [] };
  const { startEpoch, endEpoch } = range;
  if (endEpoch <= startEpoch) return { ...range, bucketSeconds: 0, bucketList: [] };
  const devices = typeof filter.devices === 'number' ? 1 : await countDevices(db, caller, filter.devices);
  const { bucketSeconds, buckets } = bucketsOf(range, given.bucketCount ?? defaultBuckets, devices);
  const cost = given.audioClipStatus === undefined ? 1 : costOfStatus;
  const ofDevice = Math.floor(mostClipsCounted / (cost * Math.max(1, devices)));
  const ranges = {
    startMs: startEpoch * 1000,
    endMs: endEpoch * 1000,
    bucketMs: bucketSeconds * 1000,
    buckets,
    status: given.audioClipStatus,
  };
  const counted =
    (await countAllStarts(db, caller, filter, { ...ranges, share: Math.max(leastShare, ofDevice) })) ??
    (await countStarts(db, caller, filter, { ...ranges, share: Math.max(leastShare, Math.floor(ofDevice / buckets)) }));
  const known = new Map(counted.map((bucket) => [bucket.number, bucket]));
  const bucketList = Array.from({ length: buckets }, (_, number) => {
    const { count = 0, isEstimated = false } = known.get(number) ?? {};
    return { startEpoch: startEpoch + number * bucketSeconds, count, ...(isEstimated ? { isEstimated } : {}) };
  });
  return { startEpoch, endEpoch, bucketSeconds, bucketList };
}

interface Epochs {
  readonly startEpoch: number;
  readonly endEpoch: number;
}

/** The requested range; where an end is missing, the start of the first or last clip. */
async function rangeOf(
  db: Db,
  caller: Caller,
  filter: ClipFilter,
  given: AudioClipHistogramFilter,
): Promise<Epochs | undefined> {
  const { fromMs, toMs } = readRange(given);
  const edge = async (ascending: boolean) => {
    const [clip] = await lookAtClips(db, caller, { ...filter, fromMs, toMs, ascending }, {});
    return clip && Math.floor(clip.time / 1000);
  };
  const startEpoch = given.startEpoch ?? (await edge(true));
  const last = given.endEpoch === undefined ? await edge(false) : undefined;
  const endEpoch = given.endEpoch ?? (last === undefined ? startEpoch : Math.min(last + 1, latestEpoch));
  return startEpoch === undefined || endEpoch === undefined ? undefined : { startEpoch, endEpoch };
}

/** Buckets of whole seconds, not more than requested or than the number of devices permits. */
export function bucketsOf({ startEpoch, endEpoch }: Epochs, wanted: number, devices: number) {
  const affordable = Math.max(leastBuckets, Math.floor(mostLookups / Math.max(1, devices)));
  const most = Math.min(wanted, mostBuckets, affordable);
  const bucketSeconds = Math.ceil((endEpoch - startEpoch) / most);
  return { bucketSeconds, buckets: Math.ceil((endEpoch - startEpoch) / bucketSeconds) };
}
