import type { RuleWhen } from '@earshot/contract/rule-when';
import type { Db } from '../../platform/database/connect.ts';

/** From when on every fact that the condition asks for is recorded. Undefined: it always was. */
export async function findKnownSince(db: Db, when: RuleWhen): Promise<string | undefined> {
  const asked = [
    ...(asksForMissingTag(when, false) ? ['labels'] : []),
    ...(asksForMeasuredSound(when) ? ['sound'] : []),
  ];
  if (asked.length === 0) return undefined;
  const [row] = await db<{ since: Date }[]>`select max(since) as since from recorded_facts where fact = any(${asked})`;
  return row?.since.toISOString();
}

const asksForMeasuredSound = (when: RuleWhen): boolean =>
  (when.speechSeconds ?? when.levelDb ?? when.clippedPercent ?? when.anySound) !== undefined ||
  [...(when.all ?? []), ...(when.any ?? []), ...(when.none ?? [])].some(asksForMeasuredSound);

/** That a tag is not there is known only of clips whose labels were noted. */
function asksForMissingTag(when: RuleWhen, isInNone: boolean): boolean {
  if (when.tagName !== undefined) return isInNone;
  return (
    [...(when.all ?? []), ...(when.any ?? [])].some((entry) => asksForMissingTag(entry, isInNone)) ||
    (when.none ?? []).some((entry) => asksForMissingTag(entry, true))
  );
}
