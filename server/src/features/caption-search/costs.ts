import type { Db } from '../../platform/database/connect.ts';
import type { Search } from './matching.ts';
import { orderMatches } from './ranking.ts';
import { inRange } from './scope.ts';
import type { Lanes, Walked } from './walk-queries.ts';
import { timeSlack } from './walk-queries.ts';

/*
 * Which way to find matches takes less time. The costs are microseconds, measured with a million captions; only their
 * proportions matter.
 */

/** An entry of the index in time order, which a walk reads twice. */
const entryCost = 0.4;
/** A caption that is read in time order, or from scattered places. */
const rowCost = 0.5;
const scatteredRowCost = 1;
/** Comparing a text with one phrase. */
const phraseCost = 0.4;
/** A match found by grams. */
const gramMatchCost = 1;
/** An entry in the index of grams, and in the index by device. */
const gramEntryCost = 0.06;
const deviceEntryCost = 0.07;

/** Newest captions whose devices are counted. */
const sampled = 2_000;

export interface Sizes {
  /** All captions, as PostgreSQL estimates them. */
  readonly captions: number;
  /** The share of the captions that is of the devices searched, from 0 to 1. */
  readonly deviceShare: number;
}

export async function readSizes(db: Db, { scope, slice }: Search): Promise<Sizes> {
  const { devices } = scope;
  const captions = db`(select greatest(0, reltuples)::float8 from pg_class where oid = 'caption_search'::regclass)`;
  const share = db`(
    select coalesce(avg((s.device_id = any(${(devices ?? []) as number[]}::bigint[]))::int), 0)::float8 from (
      select s.device_id from caption_search s where ${inRange(db, scope, db`s.start_ms`)}
      ${orderMatches(db, slice)} limit ${sampled}) s)`;
  const [row] = await db<[Sizes]>`
    select ${captions} as captions, ${devices ? share : db`1::float8`} as "deviceShare"`;
  return row;
}

export interface Costs {
  /** Captions that must be read in time order to find so many matches, or all in the range; infinite if not known. */
  readonly walkLength: (matches: number) => number;
  readonly walk: (matches: number) => number;
  /** Finding so many matches in time, in no order. */
  readonly count: (matches: number) => number;
  /** Finding so many matches by grams. */
  readonly grams: (matches: number) => number;
  /** Whether the index by device saves more than reading it costs. */
  readonly isByDevice: (matches: number) => boolean;
}

/** The costs of a search after its first walk, if its matches are spread evenly. */
export function estimateCosts(search: Search, lanes: Lanes, first: Walked, sizes: Sizes): Costs {
  const { captions, deviceShare } = sizes;
  const share = first.found / first.looked;
  /** The share of matching texts among captions of the devices. */
  const textShare = lanes === 'one' ? Math.min(1, share / deviceShare || 0) : share;
  const compareCost = phraseCost * countCompared(search);
  const captionsInRange = countInRange(search, first);
  const rangeShare = captions > 0 ? Math.min(1, captionsInRange / captions) : 1;
  const walkLength = (matches: number) => Math.min(matches / share, captionsInRange);
  const entries = captions * textShare;
  // Each term has its own list of entries, longer than that of the texts with all terms.
  const { length } = search.terms;
  const listed = captions * length * textShare ** (1 / length);
  const readByGrams = (matches: number) => Math.min(entries, matches / (deviceShare * rangeShare));
  const plainly = (matches: number) =>
    readByGrams(matches) * (scatteredRowCost + deviceShare * rangeShare * (compareCost + gramMatchCost));
  const byDevice = (matches: number) =>
    captions * deviceShare * deviceEntryCost +
    Math.min(entries * deviceShare, matches / rangeShare) *
      (scatteredRowCost + rangeShare * (compareCost + gramMatchCost));
  const inLanes = (matches: number) => walkLength(matches) * (scatteredRowCost + compareCost);
  const inOrder = (matches: number) => walkLength(matches) * (entryCost + deviceShare * (rowCost + compareCost));
  const inNoOrder = (matches: number) =>
    walkLength(matches) * deviceShare * (timeSlack * deviceEntryCost + rowCost + compareCost);
  return {
    walkLength,
    walk: lanes === 'one' ? inOrder : inLanes,
    count: lanes === 'one' ? inNoOrder : inLanes,
    grams: (matches) => listed * gramEntryCost + Math.min(plainly(matches), byDevice(matches)),
    isByDevice: (matches) => byDevice(matches) < plainly(matches),
  };
}

/** The captions in the range of time, if they are as frequent as those of the first walk; infinite if not known. */
function countInRange({ scope, slice }: Search, { looked, fromMs, toMs }: Walked): number {
  const endMs = slice.order === 'asc' ? scope.toMs : scope.reachMs;
  if (fromMs === undefined || fromMs === null || toMs === undefined || toMs === null || fromMs === toMs)
    return Infinity;
  return (looked * Math.abs(endMs - fromMs)) / Math.abs(toMs - fromMs);
}

/** How many phrases a text is compared with, if half of the texts with the terms before contain a term. */
const countCompared = ({ terms }: Search): number =>
  terms.reduce((sum, { phrases, variants }, at) => sum + (phrases.length + variants.length) / 2 ** at, 0);
