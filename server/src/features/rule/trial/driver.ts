import type { RuleWhere } from '@earshot/contract/rule-parts';
import type { SearchTerm } from '@earshot/contract/words/public';
import type { Measured, ValueRange, When } from '../core/when.ts';
import { isGroup } from '../core/when.ts';

/*
 * The part of a rule by which its clips are looked up: a part that must be true whenever the rule is. The clips that it
 * finds are then judged by the whole rule.
 */

/** A text matches one of the alternatives. */
type WordAlternatives = readonly (readonly SearchTerm[])[];

export type Driver =
  | {
      readonly kind: 'words';
      readonly alternatives: WordAlternatives;
      /** Whether the condition is true of every clip that has one of them. */
      readonly isWhole: boolean;
    }
  | { readonly kind: 'tags'; readonly names: readonly string[] }
  | { readonly kind: 'talkgroups'; readonly talkgroups: readonly number[] }
  | { readonly kind: 'measured'; readonly alternatives: readonly MeasuredRange[] }
  | { readonly kind: 'clips' };

/** A value of the clip lies in this range. */
export interface MeasuredRange {
  readonly kind: Measured;
  readonly range: ValueRange;
}

/** More alternatives would make statements that are larger than what they save. */
const mostAlternatives = 40;

/** Words first: they have the best index. */
export function chooseDriver(where: RuleWhere | undefined, when: When): Driver {
  const alternatives = neededOf(when, (condition) => (condition.kind === 'words' ? [condition.terms] : undefined));
  if (alternatives && alternatives.length <= mostAlternatives)
    return { kind: 'words', alternatives, isWhole: isAnyOfWords(when) };
  const names = neededOf(when, (condition) => (condition.kind === 'tag' ? [condition.name] : undefined));
  if (names) return { kind: 'tags', names };
  const talkgroups = where?.talkgroups ?? [];
  if (talkgroups.length > 0)
    return { kind: 'talkgroups', talkgroups: [...new Set(talkgroups.map(({ talkgroup }) => talkgroup))] };
  const ranges = neededOf(when, (condition) => ('range' in condition ? [condition] : undefined));
  if (ranges) return { kind: 'measured', alternatives: ranges };
  return { kind: 'clips' };
}

const isAnyOfWords = (when: When): boolean =>
  isGroup(when) ? when.kind === 'any' && when.entries.every(isAnyOfWords) : when.kind === 'words';

type Condition = Exclude<When, { readonly entries: unknown }>;

/** Of which the condition needs at least one; undefined if it can be true without them. */
function neededOf<Part>(
  when: When,
  read: (condition: Condition) => readonly Part[] | undefined,
): readonly Part[] | undefined {
  if (!isGroup(when)) return read(when);
  if (when.kind === 'none') return undefined;
  const parts = when.entries.map((entry) => neededOf(entry, read));
  if (when.kind === 'any') return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
  // The fewest alternatives are usually the rarest.
  return parts.filter((part) => part !== undefined).toSorted((one, other) => one.length - other.length)[0];
}
