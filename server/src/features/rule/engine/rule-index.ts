import { necessaryWords } from '@earshot/contract/words/public';
import type { Definition } from '../definition.ts';
import type { KnownFacts } from '../core/facts.ts';
import type { Judged } from '../core/judge.ts';
import { compileRule } from '../core/judge.ts';
import { chooseDriver } from '../trial/driver.ts';

/** A rule as the engine keeps it in memory. */
export interface EngineRule extends Judged {
  readonly key: number;
  readonly userID: number;
  readonly version: number;
}

export const toEngineRule = (
  rule: Pick<EngineRule, 'key' | 'userID' | 'version'> & { definition: Definition },
): EngineRule => ({
  ...rule,
  ...compileRule(rule.definition),
});

/** Finds the rules that a clip may satisfy, without comparing it with the others. */
export interface RuleIndex {
  find(facts: KnownFacts, isReader: (rule: EngineRule) => boolean): readonly EngineRule[];
}

/**
 * Each rule is kept under words, or tags, of which a clip that satisfies it has at least one. Rules without such a part are
 * kept by themselves.
 */
export function indexRules(rules: readonly EngineRule[]): RuleIndex {
  const byWord = new Map<string, EngineRule[]>();
  const byTag = new Map<string, EngineRule[]>();
  const others: EngineRule[] = [];
  for (const rule of rules) {
    const driver = chooseDriver(rule.definition.where, rule.when);
    if (driver.kind === 'words') {
      for (const word of new Set(driver.alternatives.flatMap(necessaryWords))) keep(byWord, word, rule);
    } else if (driver.kind === 'tags') {
      for (const name of new Set(driver.names)) keep(byTag, name, rule);
    } else others.push(rule);
  }
  return {
    find({ text, tags }, isReader) {
      const found = new Set<EngineRule>();
      const add = (some: readonly EngineRule[] | undefined) => {
        for (const rule of some ?? []) if (isReader(rule)) found.add(rule);
      };
      if (byWord.size > 0 && text !== undefined) for (const word of new Set(text.split(' '))) add(byWord.get(word));
      for (const name of tags.keys()) add(byTag.get(name));
      add(others);
      return [...found];
    },
  };
}

function keep(kept: Map<string, EngineRule[]>, key: string, rule: EngineRule): void {
  const some = kept.get(key);
  if (some) some.push(rule);
  else kept.set(key, [rule]);
}
