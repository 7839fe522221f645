import type { Db } from '../../platform/database/connect.ts';
import type { Search } from './matching.ts';
import { orderMatches } from './ranking.ts';
import { inRange } from './scope.ts';
import type { Lanes, Walked } from './walk-queries.ts';

/*
 * Which way to find matches takes less time. The costs are microseconds, measured with a million captions; only their
 * proportions matter.
 */

/** An entry of the index in time order, which a walk reads twice. */
const entryCost = 0.3;
/** A caption that is read in time order, or from scattered places. */
const rowCost = 1.2;
const scatteredRowCost = 2;
/** Comparing a text with one phrase. */
const phraseCost = 0.12;
/** An entry in the index of grams, and in the index by device. */
const gramEntryCost = 0.33;
const deviceEntryCost = 0.17;

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
  /** Captions that must be read in time order to find so many matches; infinite if none is expected. */
  readonly walkLength: (matches: number) => number;
  readonly walk: (matches: number) => number;
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
  const compareCost =
    phraseCost * search.terms.reduce((sum, term) => sum + term.phrases.length + term.variants.length, 0);
  const walkLength = (matches: number) => matches / share;
  const entries = captions * textShare;
  const readByGrams = (matches: number) => Math.min(entries, matches / deviceShare);
  const plainly = (matches: number) => readByGrams(matches) * (scatteredRowCost + deviceShare * compareCost);
  const byDevice = (matches: number) =>
    captions * deviceShare * deviceEntryCost +
    Math.min(entries * deviceShare, matches) * (scatteredRowCost + compareCost);
  return {
    walkLength,
    walk: (matches) =>
      walkLength(matches) *
      (lanes === 'one' ? entryCost + deviceShare * (rowCost + compareCost) : scatteredRowCost + compareCost),
    grams: (matches) => entries * gramEntryCost + Math.min(plainly(matches), byDevice(matches)),
    isByDevice: (matches) => byDevice(matches) < plainly(matches),
  };
}
