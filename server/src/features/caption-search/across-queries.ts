import type { SearchTerm } from '@earshot/contract/words/public';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import { numberArray } from '../../platform/database/number-array.ts';
import { contains, edgeGrams } from '../caption-index/public.ts';
import type { Slice } from './matching.ts';
import { orderMatches } from './ranking-queries.ts';
import type { Scope } from './scope-queries.ts';
import { inScope } from './scope-queries.ts';

/*
 * Finds sequences of words that begin at the end of a clip and continue at the start of the next clip of its device. A
 * sequence is split between each of its words. The longer part of each split is looked up by its grams; the neighbours
 * of the clips found are compared with the other part.
 */

/** The next clip begins within this time before or after the end of a clip. */
const gapMs = 2_000;
const mostSplits = 12;
/** Of the clips that begin or end with a part of a sequence, this many are compared with their neighbours. */
const mostCompared = 2_000;
const mostPairs = 200;

export interface AcrossMatch {
  readonly key: number;
  readonly nextKey: number;
}

export interface AcrossSearch {
  readonly sequences: readonly string[];
  /** Clips that match these terms alone are left out. */
  readonly terms: readonly SearchTerm[];
  readonly scope: Scope;
  readonly slice: Slice;
}

interface Split {
  readonly before: string;
  readonly after: string;
}

const splitsOf = (sequence: string): Split[] => {
  const words = sequence.split(' ');
  return words.slice(1).map((_, at) => ({
    before: words.slice(0, at + 1).join(' '),
    after: words.slice(at + 1).join(' '),
  }));
};

/** In time order; the newest if there are more than are returned. */
export async function matchAcross(db: Db, search: AcrossSearch): Promise<readonly AcrossMatch[]> {
  const splits = search.sequences.flatMap(splitsOf).slice(0, mostSplits);
  const isByFirst = ({ before, after }: Split): boolean => before.length >= after.length;
  return db<AcrossMatch[]>`
    select p.audio_clip_id as key, min(p.next_id) as "nextKey" from (
      ${fromFirst(db, search, splits.filter(isByFirst))}
      union all
      ${fromSecond(
        db,
        search,
        splits.filter((split) => !isByFirst(split)),
      )}) p
    group by p.audio_clip_id, p.start_ms ${orderMatches(db, search.slice)} limit ${mostPairs}`;
}

/**
 * The splits as rows, with patterns of the end of a text and of the start of the next one, and the grams of the part that
 * is looked up. One statement for any number of splits: planning one for each of them took longer than all lookups.
 */
function splitRows(db: Db, splits: readonly Split[], edge: 'start' | 'end'): Fragment {
  const grams = splits.map(({ before, after }) => edgeGrams(edge === 'end' ? before : after, edge));
  return db`unnest(${splits.map(({ before }) => `%${before} `)}::text[], ${splits.map(({ after }) => ` ${after}%`)}::text[],
    ${grams.map(numberArray)}::text[]) split (ending, beginning, grams)`;
}

const byGrams = (db: Db): Fragment => db`(select * from caption_search where grams @> split.grams::integer[] offset 0)`;

function fromFirst(db: Db, { terms, scope }: AcrossSearch, splits: readonly Split[]): Fragment {
  return db`
    select s.audio_clip_id, s.start_ms, n.audio_clip_id as next_id
    from ${splitRows(db, splits, 'end')}
    cross join lateral (
      select s.* from ${byGrams(db)} s
      where s.text like split.ending and not (${contains(db, db`s.text`, terms)}) and ${inScope(db, scope)}
      limit ${mostCompared}) s
    cross join lateral (select c.end_ms from audio_clips c where c.key = s.audio_clip_id limit 1) c
    cross join lateral (
      select n.audio_clip_id, n.start_ms, n.text from caption_search n
      where n.device_id = s.device_id and n.start_ms > s.start_ms order by n.start_ms, n.audio_clip_id limit 1) n
    where abs(n.start_ms - c.end_ms) <= ${gapMs}::bigint and n.text like split.beginning`;
}

function fromSecond(db: Db, { terms, scope }: AcrossSearch, splits: readonly Split[]): Fragment {
  const ofDevices = db`and t.device_id = any(${(scope.devices ?? []) as number[]}::bigint[])`;
  return db`
    select s.audio_clip_id, s.start_ms, t.audio_clip_id as next_id
    from ${splitRows(db, splits, 'start')}
    cross join lateral (
      select t.* from ${byGrams(db)} t
      where t.text like split.beginning ${scope.devices ? ofDevices : db``} limit ${mostCompared}) t
    cross join lateral (
      select s.* from caption_search s where s.device_id = t.device_id and s.start_ms < t.start_ms
      order by s.start_ms desc, s.audio_clip_id desc limit 1) s
    cross join lateral (select c.end_ms from audio_clips c where c.key = s.audio_clip_id limit 1) c
    where abs(t.start_ms - c.end_ms) <= ${gapMs}::bigint and s.text like split.ending
      and not (${contains(db, db`s.text`, terms)}) and ${inScope(db, scope)}`;
}
