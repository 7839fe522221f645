import type { Db } from '../../../platform/database/connect.ts';
import { findDefinitions, findRulesMark, listEnabledVersions } from './engine-queries.ts';
import type { EngineRule, RuleIndex, StateRule } from './rule-index.ts';
import { indexRules, isStateRule, toEngineRule } from './rule-index.ts';

export interface CachedRules {
  readonly rules: ReadonlyMap<number, EngineRule>;
  readonly index: RuleIndex;
  /** Those with windows. */
  readonly counting: readonly EngineRule[];
  /** Those about states of devices, which are in no index of clips. */
  readonly states: readonly StateRule[];
}

export interface RuleCache {
  /** The enabled rules as this transaction sees them. Only those that have changed are read again. */
  read(tx: Db): Promise<CachedRules>;
}

export function createRuleCache(): RuleCache {
  let cached: CachedRules = { rules: new Map(), index: indexRules([]), counting: [], states: [] };
  let knownMark: string | undefined;
  return {
    async read(tx) {
      const mark = await findRulesMark(tx);
      if (mark === knownMark) return cached;
      const present = await listEnabledVersions(tx);
      const changed = present.filter(({ key, version }) => cached.rules.get(key)?.version !== version);
      const read = new Map(
        (
          await findDefinitions(
            tx,
            changed.map(({ key }) => key),
          )
        ).map((rule) => [rule.key, toEngineRule(rule)]),
      );
      const rules = new Map(
        present.flatMap(({ key }) => {
          const rule = read.get(key) ?? cached.rules.get(key);
          return rule ? [[key, rule] as const] : [];
        }),
      );
      const all = [...rules.values()];
      cached = {
        rules,
        index: indexRules(all.filter((rule) => !isStateRule(rule))),
        counting: all.filter(({ definition }) => definition.atLeast),
        states: all.filter(isStateRule),
      };
      // Of before the versions were read: what has changed since then changes the mark.
      knownMark = mark;
      return cached;
    },
  };
}
