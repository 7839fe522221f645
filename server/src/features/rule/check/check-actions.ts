import type { RuleAction } from '@earshot/contract/rule-parts';
import { longestUploadSeconds } from '@earshot/contract/rule-parts';
import type { FieldError } from '@earshot/contract/validation';
import { fieldsOfAction } from './settle.ts';

/** What is wrong with the actions of a rule by themselves; whether the owner may do them, references.ts asks. */
export const checkActions = (actions: readonly RuleAction[]): readonly FieldError[] =>
  actions.flatMap((given, at) => checkAction(given, `actions[${at}]`, actions.slice(0, at)));

function checkAction(given: RuleAction, path: string, before: readonly RuleAction[]): readonly FieldError[] {
  const own = new Set(['action', ...fieldsOfAction[given.action]]);
  const foreign = Object.entries(given)
    .filter(([name, value]) => isOfOther(name) && !own.has(name) && !isEmpty(value))
    .map(([name]) => ({ path: `${path}.${name}`, message: `does not belong to the action ${given.action}` }));
  return [...foreign, ...faultsOf(given, path), ...repeated(given, path, before)];
}

const allFields = new Set(Object.values(fieldsOfAction).flat());
const isOfOther = (name: string): boolean => allFields.has(name);
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

function repeated({ action }: RuleAction, path: string, before: readonly RuleAction[]): readonly FieldError[] {
  const isOnce = action === 'lock' && before.some((other) => other.action === action);
  return isOnce ? [{ path: `${path}.action`, message: 'is there already: clips are locked once' }] : [];
}

function faultsOf(given: RuleAction, path: string): readonly FieldError[] {
  switch (given.action) {
    case 'notify':
      return (given.to ?? []).flatMap((entry, at) => checkRecipient(entry, `${path}.to[${at}]`));
    case 'runPreset':
      return checkPreset(given, path);
    case 'requestUpload':
      return checkUpload(given, path);
    case 'tag':
      return given.tagName ? [] : [{ path: `${path}.tagName`, message: 'is required: the tag to put' }];
    case 'lock':
      return [];
  }
}

function checkRecipient(entry: object, path: string): readonly FieldError[] {
  const { userID, teamID, channelID } = entry as Record<string, unknown>;
  const named = [userID, teamID, channelID].filter((key) => typeof key === 'number').length;
  if (named > 1) return [{ path, message: 'names more than one; put each into an entry of its own' }];
  return named === 1 ? [] : [{ path, message: 'needs userID (a person), teamID or channelID: what to tell' }];
}

function checkPreset({ eventPresetID, on, deviceIDs, count }: RuleAction, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (!eventPresetID) errors.push({ path: `${path}.eventPresetID`, message: 'is required: the preset to run' });
  if (on === 'named' && !deviceIDs?.length)
    errors.push({ path: `${path}.deviceIDs`, message: 'must name at least one device' });
  if (on !== 'named' && deviceIDs?.length)
    errors.push({ path: `${path}.deviceIDs`, message: 'belongs to on: "named"' });
  return [...errors, ...checkCount(on, count, path)];
}

function checkUpload({ beforeSeconds = 0, afterSeconds = 0, from, count }: RuleAction, path: string) {
  const isLong = beforeSeconds + afterSeconds > longestUploadSeconds;
  const message = `and beforeSeconds must be at most ${longestUploadSeconds} seconds together`;
  return [...(isLong ? [{ path: `${path}.afterSeconds`, message }] : []), ...checkCount(from, count, path)];
}

const checkCount = (whose: string | undefined, count: number | undefined, path: string): readonly FieldError[] =>
  whose !== 'nearest' && (count ?? null) !== null
    ? [{ path: `${path}.count`, message: 'belongs to "nearest": how many devices' }]
    : [];
