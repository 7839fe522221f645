import type { Chance } from './chance.ts';
import type { Night } from './random-clip.ts';
import { changeNights } from './random-clip.ts';
import type { World } from './world.ts';

/** Notes that a change of this kind was made. */
export type Count = (kind: string) => void;

export interface StepParts {
  readonly world: World;
  readonly chance: Chance;
  readonly count: Count;
  /** The nights of this world. */
  readonly nights: readonly Night[];
}

/** In the order of `changeNights`. */
export const nightNames: readonly string[] = changeNights.map(
  ({ zone, atMs }) => `${zone} ${new Date(atMs).toISOString().slice(0, 10)}`,
);

export const allKinds: readonly string[] = [
  'hours late',
  'same second on two devices',
  'corrected',
  'corrected back',
  'transcribed again',
  'tag put',
  'tag removed',
  'labelled',
  're-dated',
  'clip deleted',
  'sound given',
  'sound expired',
  'merged',
  'device deleted',
  'right given',
  'right taken',
  'right given through a team',
  'right taken through a team',
  'owner changed',
  'role changed',
  'device into collection',
  'device out of collection',
  'zone changed',
  'rule changed',
  ...nightNames,
];
