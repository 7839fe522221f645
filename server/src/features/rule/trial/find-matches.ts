import type { Db } from '../../../platform/database/connect.ts';
import { lookUpTerms } from '../../caption-index/public.ts';
import type { Definition } from '../definition.ts';
import type { KnownFacts } from '../core/facts.ts';
import type { FactKind } from '../core/when.ts';
import { compileRule, judgeClip, neededFacts } from '../core/judge.ts';
import { byStart } from '../core/windows.ts';
import { loadFacts } from '../facts-queries.ts';
import type { StartRange } from './candidate-queries.ts';
import type { Satisfying } from './collect.ts';
import { matchesAmong, placeOfClip, withinMs } from './collect.ts';
import type { Driver } from './driver.ts';
import { chooseDriver } from './driver.ts';
import type { Watched } from './scope-queries.ts';
import { walkCandidates } from './walk.ts';

export interface FoundMatches {
  /** The newest first. */
  readonly matches: readonly Satisfying[];
  readonly isWhole: boolean;
}

export interface Sought {
  readonly definition: Definition;
  readonly watched: Watched;
  readonly into: ReadonlyMap<number, number>;
  /** The times at which matches begin. */
  readonly starts: StartRange;
  /** Which of the clips count, beside their start; all, if not given. */
  readonly isInside?: (clip: Satisfying) => boolean;
}

/**
 * The matches of a rule, from the newest on, until there are so many or all are found. Clips of windows that reach before
 * the range are judged too.
 */
export async function findMatches(
  tx: Db,
  { definition, watched, into, starts, isInside = () => true }: Sought,
  most: number,
  signal: AbortSignal,
): Promise<FoundMatches> {
  if (watched.deviceIDs?.length === 0) return { matches: [], isWhole: true };
  const judged = compileRule(definition);
  const driver = await withKnownForms(tx, chooseDriver(definition.where, judged.when));
  const needed = neededFacts(judged);
  // What is found by words alone needs no second look.
  const isFoundByWords = driver.kind === 'words' && driver.isWhole && needed.size === 1;
  const reachMs = withinMs(definition);
  const walked = { fromMs: Math.max(0, starts.fromMs - reachMs), toMs: starts.toMs };
  const isSatisfied = (facts: KnownFacts): boolean => judgeClip(judged, facts, into) === true;
  const isCounted = (clip: Satisfying): boolean => clip.startMs >= starts.fromMs && isInside(clip);
  const satisfying: Satisfying[] = [];
  for await (const { clips, reachedMs } of walkCandidates(tx, driver, watched.deviceIDs, walked)) {
    signal.throwIfAborted();
    const facts = await loadFacts(
      tx,
      clips.map(({ key }) => key),
      isFoundByWords ? noFacts : needed,
    );
    satisfying.push(...(isFoundByWords ? facts : facts.filter(isSatisfied)).map(placeOfClip));
    if (satisfying.length < most) continue;
    // Windows that reach before what was walked may contain more.
    const certain = newestFirst(matchesAmong(definition, satisfying).filter(isCounted)).filter(
      ({ startMs }) => reachMs === 0 || startMs - reachMs >= reachedMs - 1,
    );
    if (certain.length >= most) return { matches: certain.slice(0, most), isWhole: false };
  }
  return { matches: newestFirst(matchesAmong(definition, satisfying).filter(isCounted)), isWhole: true };
}

/** Without forms that have a word that no transcript has: most forms of a word are never said, and each is compared. */
async function withKnownForms(tx: Db, driver: Driver): Promise<Driver> {
  if (driver.kind !== 'words') return driver;
  const { terms } = await lookUpTerms(tx, driver.alternatives.flat(), { extent: 'words' });
  let at = 0;
  return { ...driver, alternatives: driver.alternatives.map((some) => some.map(() => terms[at++]!)) };
}

const noFacts: ReadonlySet<FactKind> = new Set();

const newestFirst = (clips: readonly Satisfying[]): readonly Satisfying[] =>
  clips.toSorted((one, other) => byStart(other, one));
