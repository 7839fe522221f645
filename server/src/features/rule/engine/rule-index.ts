import type { NecessaryWords } from '@earshot/contract/words/public';
import { necessaryWaysOfEach } from '@earshot/contract/words/public';
import type { Definition } from '../definition.ts';
import type { KnownFacts } from '../core/facts.ts';
import type { Judged } from '../core/judge.ts';
import { compileRule } from '../core/judge.ts';
import type { Driver } from '../trial/driver.ts';
import { chooseDriver } from '../trial/driver.ts';

/** A rule as the engine keeps it in memory. */
export interface EngineRule extends Judged {
  readonly key: number;
  readonly userID: number;
  readonly version: number;
  readonly needs: Needs;
}

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
  return { ...rule, ...judged, needs: needsOf(chooseDriver(rule.definition.where, judged.when)) };
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
 * kept by themselves. Of several words, all of which must be said, the rule is kept under the one with the fewest rules so far: words
 * that many rules share are common in captions, too.
 */
export function indexRules(rules: readonly EngineRule[]): RuleIndex {
  const byWord = new Map<string, EngineRule[]>();
  const byTag = new Map<string, EngineRule[]>();
  const others: EngineRule[] = [];
  const crowdOf = (word: string): number => byWord.get(word)?.length ?? 0;
  const crowdOfAll = (words: readonly string[]): number => words.reduce((sum, word) => sum + crowdOf(word), 0);
  /** A word of each way. */
  const keysOf = (ways: readonly NecessaryWords[]): readonly string[] => ways.map((way) => leastBy(way, crowdOf));
  for (const rule of rules) {
    const { needs } = rule;
    if (needs.kind === 'words') {
      const words = needs.alternatives.flatMap((terms) => leastBy(terms.map(keysOf), crowdOfAll));
      for (const word of new Set(words)) keep(byWord, word, rule);
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
        for (const word of said) for (const rule of byWord.get(word) ?? []) if (maySatisfy(rule, said)) add(rule);
      }
      for (const name of tags.keys()) for (const rule of byTag.get(name) ?? []) add(rule);
      for (const rule of others) add(rule);
      return [...found];
    },
  };
}

/** Whether the words that it needs are said, in whatever order. */
const maySatisfy = ({ needs }: EngineRule, said: ReadonlySet<string>): boolean =>
  needs.kind !== 'words' ||
  needs.alternatives.some((terms) =>
    terms.every((ways) => ways.some((words) => words.every((word) => said.has(word)))),
  );

/** The first of those for which the number is least. */
const leastBy = <Item>(items: readonly Item[], numberOf: (item: Item) => number): Item =>
  items.reduce((least, item) => (numberOf(item) < numberOf(least) ? item : least));

function keep(kept: Map<string, EngineRule[]>, key: string, rule: EngineRule): void {
  const some = kept.get(key);
  if (some) some.push(rule);
  else kept.set(key, [rule]);
}
