import type { NecessaryWords } from '@earshot/contract/words/public';
import { necessaryWaysOfEach } from '@earshot/contract/words/public';
import type { Definition } from '../definition.ts';
import type { KnownFacts } from '../core/facts.ts';
import type { Judged } from '../core/judge.ts';
import { compileRule } from '../core/judge.ts';
import type { WatchedState } from '../state/core/states.ts';
import { readWatchedState } from '../state/core/states.ts';
import type { Driver } from '../trial/driver.ts';
import { chooseDriver } from '../trial/driver.ts';

/** A rule as the engine keeps it in memory. */
export interface EngineRule extends Judged {
  readonly key: number;
  /** Null: it is built in. */
  readonly userID: number | null;
  readonly version: number;
  readonly needs: Needs;
  /** Undefined: it is about clips. */
  readonly state: WatchedState | undefined;
}

/** A rule about a state of devices. */
export type StateRule = EngineRule & { readonly state: WatchedState };

export const isStateRule = (rule: EngineRule): rule is StateRule => rule.state !== undefined;

/** What a clip has, if it satisfies the rule. */
type Needs =
  /** Of one alternative, one way of each term. */
  | { readonly kind: 'words'; readonly alternatives: readonly (readonly (readonly NecessaryWords[])[])[] }
  | { readonly kind: 'tags'; readonly names: readonly string[] }
  | { readonly kind: 'anything' };

export function toEngineRule(
  rule: Pick<EngineRule, 'key' | 'userID' | 'version'> & { definition: Definition },
): EngineRule {
  const judged = compileRule(rule.definition);
  return {
    ...rule,
    ...judged,
    needs: needsOf(chooseDriver(rule.definition.where, judged.when)),
    state: readWatchedState(rule.definition.when),
  };
}

function needsOf(driver: Driver): Needs {
  if (driver.kind === 'words') return { kind: 'words', alternatives: driver.alternatives.map(necessaryWaysOfEach) };
  return driver.kind === 'tags' ? { kind: 'tags', names: driver.names } : { kind: 'anything' };
}

/** Finds the rules that a clip may satisfy, without comparing it with the others. */
export interface RuleIndex {
  find(facts: KnownFacts, isReader: (rule: EngineRule) => boolean): readonly EngineRule[];
}

/**
 * Each rule is kept under words, or tags, of which a clip that satisfies it has at least one. Rules without such a part are
 * kept by themselves. Of several words, all of which must be said, the rule is kept under one. When a clip says that one and not the
 * others, the rule moves to one that was not said: so it ends under a word that is rarely said, and most clips do not meet it.
 */
export function indexRules(rules: readonly EngineRule[]): RuleIndex {
  const byWord = new Map<string, Set<EngineRule>>();
  const wordsOfRule = new Map<EngineRule, ReadonlySet<string>>();
  const byTag = new Map<string, EngineRule[]>();
  const others: EngineRule[] = [];
  const crowdOf = (word: string): number => byWord.get(word)?.size ?? 0;
  const crowdOfAll = (words: readonly string[]): number => words.reduce((sum, word) => sum + crowdOf(word), 0);
  /** A word of each way. */
  const keysOf = (ways: readonly NecessaryWords[]): readonly string[] => ways.map((way) => leastBy(way, crowdOf));

  function keepUnder(rule: EngineRule, words: ReadonlySet<string>): void {
    for (const word of wordsOfRule.get(rule) ?? []) byWord.get(word)?.delete(rule);
    wordsOfRule.set(rule, words);
    for (const word of words) {
      const some = byWord.get(word);
      if (some) some.add(rule);
      else byWord.set(word, new Set([rule]));
    }
  }

  for (const rule of rules) {
    const { needs } = rule;
    if (needs.kind === 'words') {
      keepUnder(rule, new Set(needs.alternatives.flatMap((terms) => leastBy(terms.map(keysOf), crowdOfAll))));
    } else if (needs.kind === 'tags') {
      for (const name of new Set(needs.names)) keep(byTag, name, rule);
    } else others.push(rule);
  }
  return {
    find({ text, tags }, isReader) {
      const found = new Set<EngineRule>();
      const add = (rule: EngineRule) => {
        if (isReader(rule)) found.add(rule);
      };
      if (byWord.size > 0 && text !== undefined) {
        const said = new Set(text.split(' '));
        const moved = new Map<EngineRule, ReadonlySet<string>>();
        for (const word of said)
          for (const rule of byWord.get(word) ?? []) {
            const missing = findMissing(rule, said);
            if (missing) moved.set(rule, missing);
            else add(rule);
          }
        for (const [rule, words] of moved) keepUnder(rule, words);
      }
      for (const name of tags.keys()) for (const rule of byTag.get(name) ?? []) add(rule);
      for (const rule of others) add(rule);
      return [...found];
    },
  };
}

/**
 * Undefined if the words that the rule needs may all be said, in whatever order. Else words that are not said, of which a clip that
 * satisfies the rule says at least one: of each alternative one of each way of a term that is not said.
 */
function findMissing({ needs }: EngineRule, said: ReadonlySet<string>): ReadonlySet<string> | undefined {
  if (needs.kind !== 'words') return undefined;
  const missing = new Set<string>();
  for (const terms of needs.alternatives) {
    const unsaid = terms.find((ways) => !ways.some((words) => words.every((word) => said.has(word))));
    if (!unsaid) return undefined;
    for (const words of unsaid) {
      const word = words.find((each) => !said.has(each));
      if (word !== undefined) missing.add(word);
    }
  }
  return missing;
}

/** The first of those for which the number is least. */
const leastBy = <Item>(items: readonly Item[], numberOf: (item: Item) => number): Item =>
  items.reduce((least, item) => (numberOf(item) < numberOf(least) ? item : least));

function keep(kept: Map<string, EngineRule[]>, key: string, rule: EngineRule): void {
  const some = kept.get(key);
  if (some) some.push(rule);
  else kept.set(key, [rule]);
}
