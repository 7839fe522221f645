import type { Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { KnownFacts } from '../core/facts.ts';
import { judgeClip } from '../core/judge.ts';
import { loadFacts } from '../facts-queries.ts';
import { setTrialPlanner } from '../trial/candidate-queries.ts';
import { placeOfClip } from '../trial/collect.ts';
import { actOnMatches } from './acts.ts';
import type { MatchFollower } from './follower.ts';
import type { WatchedDevice } from './engine-queries.ts';
import {
  findChangedPlaces,
  isAnythingChanged,
  loadWatchedDevices,
  removePlaces,
  tryLockEngine,
} from './engine-queries.ts';
import type { FoundMatch, RuleMatchPlace } from './match-queries.ts';
import { findMatchesOfClips, putMatches, withdrawMatches } from './match-queries.ts';
import type { CachedRules, RuleCache } from './rule-cache.ts';
import type { EngineRule } from './rule-index.ts';
import { isWatching } from './watching.ts';
import { judgeWindows } from './windows.ts';

/*
 * Judges clips that have changed. All of a batch is one transaction: what was found, what does not hold any more, and that
 * these changes were judged. So a node that dies leaves nothing half done, and nothing is done twice. A change that commits
 * meanwhile has a row of its own, and is judged by a later batch.
 *
 *   rules without atLeast   the clip itself is a match or not
 *   rules with atLeast      the windows that the clip is in, or was in, are judged again (windows.ts)
 */

export const mostAtOnce = 500;

/** Returns the number of changes that were judged; 0 if there are none, or another node is judging. */
export async function judgeBatch(
  db: Pool,
  cache: RuleCache,
  follower: MatchFollower,
  most = mostAtOnce,
): Promise<number> {
  if (!(await isAnythingChanged(db))) return 0;
  const { count, woken } = await inTransaction(db, async (tx) => {
    const nothing = { count: 0, woken: [] };
    if (!(await tryLockEngine(tx))) return nothing;
    const places = await findChangedPlaces(tx, most);
    if (places.length === 0) return nothing;
    const cached = await cache.read(tx);
    await setTrialPlanner(tx);
    const keys = [...new Set(places.map(({ audioClipID }) => audioClipID))];
    const facts = new Map((await loadFacts(tx, keys)).map((each) => [each.key, each]));
    const devices = await loadWatchedDevices(tx, [...new Set(Array.from(facts.values(), ({ deviceID }) => deviceID))]);
    const satisfied = findSatisfied(cached, facts, devices);
    const found = satisfied.filter(({ rule }) => !rule.definition.atLeast).map(asMatch);
    const gone = (await findMatchesOfClips(tx, keys)).filter((match) =>
      isDecided(cached, facts.get(match.audioClipID), devices, match),
    );
    const windows = await judgeWindows(tx, cached, satisfied, places);
    const all = [...found, ...windows.found];
    const isThere = new Set(all.map(({ ruleID, key }) => `${ruleID} ${key}`));
    // A clip that was re-dated is gone from where it was, and found where it is.
    const withdrawn = await withdrawMatches(
      tx,
      [...gone, ...windows.gone].filter(({ ruleID, audioClipID }) => !isThere.has(`${ruleID} ${audioClipID}`)),
    );
    const written = await putMatches(tx, all);
    const refused = await actOnMatches(tx, cached, written, false);
    const restored = new Set(places.flatMap(({ isRestored, audioClipID }) => (isRestored ? [audioClipID] : [])));
    const devicesWithWork = await follower.follow(tx, {
      rules: cached.rules,
      written,
      withdrawn,
      refused,
      clips: keys,
      onlyNewClips: false,
      ended: [],
      isRestored: ({ audioClipID }) => restored.has(audioClipID ?? 0),
    });
    await removePlaces(
      tx,
      places.map(({ key }) => key),
    );
    return { count: places.length, woken: devicesWithWork };
  });
  follower.wake(woken);
  return count;
}

/** A clip that satisfies a rule. */
export interface SatisfiedRule {
  readonly rule: EngineRule;
  readonly facts: KnownFacts;
}

/** Merged devices are in the names of each device, so a rule that names one is compared with all of them. */
function findSatisfied(
  { index }: CachedRules,
  facts: ReadonlyMap<number, KnownFacts>,
  devices: ReadonlyMap<number, WatchedDevice>,
): readonly SatisfiedRule[] {
  return Array.from(facts.values()).flatMap((clip) => {
    const device = devices.get(clip.deviceID);
    if (!device) return [];
    const into = intoDevice(clip, device);
    return index
      .find(clip, (rule) => isWatching(rule, device))
      .filter((rule) => judgeClip(rule, clip, into) === true)
      .map((rule) => ({ rule, facts: clip }));
  });
}

const intoDevice = ({ deviceID }: KnownFacts, { names }: WatchedDevice): ReadonlyMap<number, number> =>
  new Map(Array.from(names, (name) => [name, deviceID]));

const asMatch = ({ rule, facts }: SatisfiedRule): FoundMatch => ({
  ...placeOfClip(facts),
  ruleID: rule.key,
  version: rule.version,
});

/**
 * Whether a match that was not found again is withdrawn: its clip is gone, or does not satisfy the rule. A match of a device
 * that the rule does not look at now is hidden, and stays if its clip still satisfies the rule. Of a rule with windows, what
 * else ends is found with the windows that end where the clip begins; a match that was stored elsewhere is in none of them:
 * its clip was re-dated while the rule was off, or while the match was hidden.
 */
function isDecided(
  { rules }: CachedRules,
  clip: KnownFacts | undefined,
  devices: ReadonlyMap<number, WatchedDevice>,
  { ruleID, startMs }: RuleMatchPlace,
): boolean {
  if (!clip) return true;
  const rule = rules.get(ruleID);
  const device = devices.get(clip.deviceID);
  if (!rule || !device) return false;
  const { atLeast } = rule.definition;
  if (!atLeast && isWatching(rule, device)) return true;
  if (atLeast && clip.startMs !== startMs) return true;
  return judgeClip(rule, clip, intoDevice(clip, device)) !== true;
}
