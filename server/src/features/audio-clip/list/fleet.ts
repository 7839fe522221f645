import type { FleetClips, FleetClipsFilter } from '@earshot/contract/audio-clip-fleet';
import { mostFleetClips } from '@earshot/contract/audio-clip-fleet';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { requireCollection } from '../../../access.ts';
import { countFleet } from './fleet-queries.ts';

const defaultRows = 100;
/** A colour needs no exact number, and no answer reads more of a bucket. */
const [leastOfBucket, mostOfBucket] = [10, 1_000];

/** Rows of a timeline of the fleet. The cost does not depend on the number of clips. */
export async function readFleetClips(db: Db, caller: Caller, given: FleetClipsFilter): Promise<FleetClips> {
  const rows = given.count ?? defaultRows;
  const share = Math.floor(mostFleetClips / (rows * given.bucketCount));
  const limit = Math.max(leastOfBucket, Math.min(mostOfBucket, share));
  const { total, results } = await countFleet(db, caller, {
    startMs: given.startEpoch * 1_000,
    bucketMs: given.bucketSeconds * 1_000,
    buckets: given.bucketCount,
    collectionID: given.collectionID || undefined,
    searchText: given.searchText ?? '',
    offset: given.offset ?? 0,
    rows,
    limit,
  });
  if (total === 0 && given.collectionID) await requireCollection(db, caller, 'read', given.collectionID);
  return { total, mostOfBucket: limit, results };
}
