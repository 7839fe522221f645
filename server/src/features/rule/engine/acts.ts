import type { RuleAction } from '@earshot/contract/rule-parts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { lockByRule, tagByRule } from '../../audio-clip/public.ts';
import { findRuleOwner } from '../queries.ts';
import { isAbleToAct, noteAct, refuseAct } from './act-queries.ts';
import type { RuleMatchPlace } from './match-queries.ts';
import type { CachedRules } from './rule-cache.ts';

/*
 * Does with the clips of new matches what their rules say: `lock` and `tag`, once for each match, with the rights that the
 * owner of the rule has now. The note of each act is in the transaction that found the match, and so is the act.
 */

const noRight = 'The owner of the rule may not change the clip.';

/** An action that the owner of the rule has no right to do. */
export interface RefusedAct {
  readonly ruleID: number;
  readonly action: RuleAction['action'];
}

/** Returns what was refused. */
export async function actOnMatches(
  tx: Db,
  { rules }: CachedRules,
  matches: readonly RuleMatchPlace[],
  onlyNewClips: boolean,
): Promise<readonly RefusedAct[]> {
  const refused: RefusedAct[] = [];
  // Clips in the order of their keys, as everything that locks several of them.
  for (const { ruleID, audioClipID } of matches.toSorted((one, other) => one.audioClipID - other.audioClipID)) {
    const rule = rules.get(ruleID);
    const actions = rule?.definition.actions.filter(({ action }) => action === 'lock' || action === 'tag') ?? [];
    const owner = rule && actions.length > 0 ? await findRuleOwner(tx, rule) : undefined;
    if (!owner) continue;
    for (const action of actions) {
      const isDone = await act(tx, owner, { ruleID, audioClipID, action, onlyNewClips });
      if (!isDone) refused.push({ ruleID, action: action.action });
    }
  }
  return refused;
}

interface DueAct {
  readonly ruleID: number;
  readonly audioClipID: number;
  readonly action: RuleAction;
  readonly onlyNewClips: boolean;
}

/** False if it was refused now. */
async function act(tx: Db, owner: Caller, { ruleID, audioClipID, action, onlyNewClips }: DueAct): Promise<boolean> {
  const tagName = action.tagName ?? '';
  const kind = action.action === 'lock' ? 'lock' : 'tag';
  const key = await noteAct(tx, ruleID, { audioClipID, action: kind, tagName }, onlyNewClips);
  if (key === undefined) return true;
  const isDone =
    (await isAbleToAct(tx, owner.userID)) &&
    (kind === 'lock'
      ? await lockByRule(tx, owner, audioClipID)
      : await tagByRule(tx, owner, audioClipID, { ruleID, tagName }));
  if (!isDone) await refuseAct(tx, key, noRight);
  return isDone;
}
