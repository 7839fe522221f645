import type { Chance } from './chance.ts';
import { ClipSteps } from './clip-steps.ts';
import { OtherSteps } from './other-steps.ts';
import { changeNights } from './random-clip.ts';
import type { World } from './world.ts';

/** How often each kind of change was made. */
export type Kinds = Map<string, number>;

/** Makes random changes of a world, on nights in which clocks change. */
export class Steps {
  readonly #world: World;
  readonly #chance: Chance;
  readonly #clips: ClipSteps;
  readonly #others: OtherSteps;

  constructor(world: World, chance: Chance, kinds: Kinds) {
    this.#world = world;
    this.#chance = chance;
    const count = (kind: string): void => void kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const parts = { world, chance, count, nights: chance.some(changeNights, 3) };
    this.#clips = new ClipSteps(parts);
    this.#others = new OtherSteps(parts);
  }

  async begin(): Promise<void> {
    await this.#others.begin();
    this.#world.noteScopes();
    for (let at = 0; at < 15; at++) await this.#clips.addSome();
    // Until these clips came: the next step may take a right.
    this.#world.noteScopes();
  }

  /** One step: some clips at once, or one change of people, devices, collections or rules. */
  async next(): Promise<void> {
    if (this.#chance.oneIn(2)) await this.#clips.changeSome();
    else await this.#others.change();
    this.#world.noteScopes();
  }

  /** Removes everything, so that the next world begins empty. */
  async end(): Promise<void> {
    const { rules, devices, collections } = this.#world;
    for (const rule of rules.values()) await this.#world.removeRule(rule);
    for (const device of devices.values()) await this.#world.removeDevice(device);
    for (const collection of collections.values()) await this.#world.removeCollection(collection);
  }
}
