import type { RadioCall, Talkgroup } from '@earshot/contract/radio';
import { largestTalkgroup } from '@earshot/contract/radio';

/** The shortest name of a talkgroup. */
export const talkgroupText = ({ talkgroup, talkgroupLabel, talkgroupName }: RadioCall): string =>
  talkgroupLabel || talkgroupName || `Talkgroup ${talkgroup ?? ''}`;

/** Reads the number of a talkgroup from an address; undefined if it is none. */
export function talkgroupIn(text: string | null): number | undefined {
  const number = text !== null && /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= largestTalkgroup ? number : undefined;
}

/** The talkgroup that a person means: a number, or a name from the list. */
export function findTalkgroup(typed: string, known: readonly Talkgroup[]): number | undefined {
  const number = talkgroupIn(typed);
  if (number !== undefined) return number;
  const wanted = typed.toLowerCase();
  const named = (part: (name: string) => boolean) =>
    known.find(({ talkgroupLabel = '', talkgroupName = '' }) => [talkgroupLabel, talkgroupName].some(part));
  const found = named((name) => name.toLowerCase() === wanted) ?? named((name) => name.toLowerCase().includes(wanted));
  return typed === '' ? undefined : found?.talkgroup;
}

/** A radio of a call: its number, with the name that the recorder has for it, or that the radio sent about itself. */
export function unitText(call: RadioCall, unit: number): string {
  const label = call.unitLabels?.find((one) => one.unit === unit)?.label;
  const name = label ?? (unit === call.unit ? call.talkerAlias : undefined);
  return name ? `${name} (${unit})` : String(unit);
}
