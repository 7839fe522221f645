import { longestWindowSeconds } from '@earshot/contract/rule-parts';
import type { Definition } from '../definition.ts';
import type { KnownFacts } from '../core/facts.ts';
import type { PlacedClip } from '../core/windows.ts';
import { byStart, findFullWindows } from '../core/windows.ts';

/** A clip that satisfies the rule. */
export interface Satisfying extends PlacedClip {
  readonly deviceID: number;
  readonly endMs: number | undefined;
}

export const placeOfClip = ({ key, deviceID, startMs, endMs }: KnownFacts): Satisfying => ({
  key,
  deviceID,
  startMs,
  endMs,
});

export const withinMs = ({ atLeast }: Pick<Definition, 'atLeast'>): number =>
  Math.min(atLeast?.withinSeconds ?? 0, longestWindowSeconds) * 1_000;

/** Clips that are counted together: of one device, or of all. */
export function groupsOf<Clip extends Satisfying>(
  { atLeast }: Pick<Definition, 'atLeast'>,
  clips: readonly Clip[],
): readonly (readonly Clip[])[] {
  if (atLeast?.acrossDevices) return [clips.toSorted(byStart)];
  const groups = new Map<number, Clip[]>();
  for (const clip of clips) {
    const group = groups.get(clip.deviceID);
    if (group) group.push(clip);
    else groups.set(clip.deviceID, [clip]);
  }
  return [...groups.values()].map((group) => group.toSorted(byStart));
}

/** The matches among the clips that satisfy the rule; the clips of whole windows must be there. */
export function matchesAmong<Clip extends Satisfying>(
  definition: Pick<Definition, 'atLeast'>,
  clips: readonly Clip[],
): readonly Clip[] {
  const { atLeast } = definition;
  if (!atLeast) return clips;
  return groupsOf(definition, clips).flatMap((group) => findFullWindows(group, atLeast.count, withinMs(definition)));
}
