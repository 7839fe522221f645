import type { Db } from '../../../platform/database/connect.ts';
import { findDefinitions, listEnabledVersions } from './engine-queries.ts';
import type { EngineRule, RuleIndex } from './rule-index.ts';
import { indexRules, toEngineRule } from './rule-index.ts';

export interface CachedRules {
  readonly rules: ReadonlyMap<number, EngineRule>;
  readonly index: RuleIndex;
}

export interface RuleCache {
  /** The enabled rules as this transaction sees them. Only those that have changed are read again. */
  read(tx: Db): Promise<CachedRules>;
}

export function createRuleCache(): RuleCache {
  let cached: CachedRules = { rules: new Map(), index: indexRules([]) };
  return {
    async read(tx) {
      const present = await listEnabledVersions(tx);
      const changed = present.filter(({ key, version }) => cached.rules.get(key)?.version !== version);
      if (changed.length === 0 && present.length === cached.rules.size) return cached;
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
      cached = { rules, index: indexRules([...rules.values()]) };
      return cached;
    },
  };
}
