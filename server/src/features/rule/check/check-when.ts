import type { RuleWhen } from '@earshot/contract/rule-when';
import { deepestGroups, mostConditions } from '@earshot/contract/rule-when';
import { readTerms } from '@earshot/contract/words/public';
import type { FieldError } from '@earshot/contract/validation';

/** The kinds of conditions and groups; an entry of `when` has exactly one. */
const ranges = ['speechSeconds', 'lengthSeconds', 'levelDb', 'clippedPercent'] as const;
const kinds = ['words', 'tagName', 'anySound', ...ranges] as const;
const groups = ['all', 'any', 'none'] as const;
export const allKinds: readonly string[] = [...kinds, ...groups];

type Entry = RuleWhen & { readonly state?: unknown };

interface Checked {
  readonly errors: FieldError[];
  conditions: number;
}

/** What is wrong with the condition of a rule, in sentences; `hasWhere` tells whether the rule has a `where`. */
export function checkWhen(when: RuleWhen, hasWhere: boolean): readonly FieldError[] {
  const checked: Checked = { errors: [], conditions: 0 };
  checkEntry(when, 'when', 1, checked);
  if (checked.conditions > mostConditions)
    checked.errors.push({
      path: 'when',
      message: `has ${checked.conditions} conditions; at most ${mostConditions} are possible`,
    });
  if (checked.errors.length > 0) return checked.errors;
  const positive = positiveKinds(when);
  if (positive.length === 0)
    return [{ path: 'when', message: 'needs a condition outside of `none`: it would match whatever is not there' }];
  if (!hasWhere && positive.every((kind) => kind === 'anySound'))
    return [
      { path: 'where', message: 'is required with `anySound` alone: name devices, collections, talkgroups or units' },
    ];
  return [];
}

function checkEntry(entry: Entry, path: string, depth: number, checked: Checked): void {
  const { errors } = checked;
  if ((entry.state ?? null) !== null) {
    const message = 'must stand alone: a rule has one state, or is about clips';
    errors.push({ path: `${path}.state`, message });
    return;
  }
  const found = allKinds.filter((kind) => Object.hasOwn(entry, kind) && entry[kind as keyof RuleWhen] !== null);
  const [kind, second] = found;
  if (kind === undefined) {
    errors.push({ path, message: `needs a condition: one of ${allKinds.join(', ')}` });
    return;
  }
  if (second !== undefined) {
    errors.push({ path, message: `has ${kind} and ${second} in one place; put each into an entry of all or any` });
    return;
  }
  if (entry.minConfidence !== undefined && entry.minConfidence !== null && kind !== 'tagName')
    errors.push({ path: `${path}.minConfidence`, message: 'belongs to tagName' });
  if (isGroup(kind)) checkGroup(entry[kind] ?? [], `${path}.${kind}`, depth, checked);
  else {
    checked.conditions += 1;
    errors.push(...checkCondition(entry, kind as (typeof kinds)[number], `${path}.${kind}`));
  }
}

const isGroup = (kind: string): kind is (typeof groups)[number] => groups.some((group) => group === kind);

function checkGroup(entries: readonly RuleWhen[], path: string, depth: number, checked: Checked): void {
  if (depth > deepestGroups) {
    const message = `is inside of ${deepestGroups} other groups; at most ${deepestGroups} groups can be inside each other`;
    checked.errors.push({ path, message });
    return;
  }
  if (!Array.isArray(entries) || entries.length === 0)
    checked.errors.push({ path, message: 'must be a list with at least one entry' });
  else for (const [at, entry] of entries.entries()) checkEntry(entry, `${path}[${at}]`, depth + 1, checked);
}

function checkCondition(entry: RuleWhen, kind: (typeof kinds)[number], path: string): readonly FieldError[] {
  if (kind === 'words') {
    const isEmpty = readTerms(entry.words ?? '').length === 0;
    return isEmpty ? [{ path, message: 'must contain a letter or a digit' }] : [];
  }
  if (kind === 'anySound')
    return entry.anySound ? [] : [{ path, message: 'must be true; put it into none for the opposite' }];
  if (kind === 'tagName') return [];
  const { min, max } = entry[kind] ?? {};
  if ((min ?? null) === null && (max ?? null) === null) return [{ path, message: 'needs min or max' }];
  const isEmpty = (min ?? null) !== null && (max ?? null) !== null && min! > max!;
  return isEmpty ? [{ path, message: `has a min above its max (${min} and ${max}): nothing is in between` }] : [];
}

/** The kinds of the conditions that are not in a `none`. */
function positiveKinds(entry: RuleWhen): readonly string[] {
  const inside = [...(entry.all ?? []), ...(entry.any ?? [])];
  if (inside.length > 0) return inside.flatMap(positiveKinds);
  return kinds.filter((kind) => Object.hasOwn(entry, kind));
}
