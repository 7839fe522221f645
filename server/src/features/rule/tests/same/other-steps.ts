import type { Chance } from './chance.ts';
import type { Count, StepParts } from './kinds.ts';
import type { PlainCollection } from './plain.ts';
import { mayRead } from './plain.ts';
import type { Night } from './random-clip.ts';
import { zones } from './random-clip.ts';
import { randomRule } from './random-rule.ts';
import type { World } from './world.ts';

/** As often as it stands here. */
const changes =
  'members members members members items items merge merge merge zone zone rule owner owner role device'.split(' ');

/** Random changes of people, devices, collections and rules. */
export class OtherSteps {
  readonly #world: World;
  readonly #chance: Chance;
  readonly #count: Count;
  readonly #nights: readonly Night[];

  constructor({ world, chance, count, nights }: StepParts) {
    this.#world = world;
    this.#chance = chance;
    this.#count = count;
    this.#nights = nights;
  }

  async begin(): Promise<void> {
    for (let at = 0; at < 5; at++) await this.#addDevice();
    for (const ownerID of this.#world.people.keys()) await this.#world.addCollection(ownerID);
    for (let at = 0; at < 3; at++)
      for (const collection of this.#world.collections.values()) {
        await this.#changeItems(collection);
        await this.#changeMembers(collection);
      }
    for (let at = 0; at < 30; at++) await this.#addRule();
  }

  get #owner(): number {
    return this.#chance.pick([...this.#world.people.keys()]);
  }

  async change(): Promise<void> {
    this.#world.step += 1;
    const chance = this.#chance;
    const kind = chance.pick(changes);
    const collection = chance.pick([...this.#world.collections.values()]);
    if (kind === 'members') return this.#changeMembers(collection);
    if (kind === 'items') return this.#changeItems(collection);
    if (kind === 'merge') return this.#merge();
    if (kind === 'zone') return this.#changeZone();
    if (kind === 'rule') return this.#changeRule();
    if (kind === 'owner') return this.#changeOwner();
    if (kind === 'role') return this.#changeRole();
    return this.#removeDevice();
  }

  get #zone(): string | undefined {
    if (this.#chance.oneIn(8)) return undefined;
    return this.#chance.oneIn(4) ? this.#chance.pick(zones) : this.#chance.pick(this.#nights).zone;
  }

  #addDevice(): Promise<void> {
    return this.#world.addDevice(this.#owner, this.#zone);
  }

  async #changeZone(): Promise<void> {
    const [device, zone] = [this.#chance.pick([...this.#world.devices.values()]), this.#zone];
    if (zone === undefined || device.timeZone === zone) return;
    this.#count('zone changed');
    await this.#world.changeZone(device, zone);
  }

  async #removeDevice(): Promise<void> {
    this.#count('device deleted');
    await this.#world.removeDevice(this.#chance.pick([...this.#world.devices.values()]));
    await this.#addDevice();
  }

  async #changeOwner(): Promise<void> {
    const [device, ownerID] = [this.#chance.pick([...this.#world.devices.values()]), this.#owner];
    if (device.ownerID === ownerID) return;
    this.#count('owner changed');
    await this.#world.giveDevice(device, ownerID);
  }

  async #changeRole(): Promise<void> {
    const people = [...this.#world.people.values()];
    // Few admins at a time: they see everything.
    const person = people.find(({ isAdmin }) => isAdmin) ?? this.#chance.pick(people);
    this.#count('role changed');
    await this.#world.changeRole(person, !person.isAdmin);
  }

  async #merge(): Promise<void> {
    const [one, other] = this.#chance.some([...this.#world.devices.values()], 4);
    if (!one || !other) return;
    const starts = new Set(this.#world.clipsOf(one.key).map(({ startMs }) => startMs));
    // Both have a clip of this start: merging them would be refused.
    if (this.#world.clipsOf(other.key).some(({ startMs }) => starts.has(startMs))) return;
    this.#count('merged');
    await this.#world.mergeDevice(one, other);
    await this.#addDevice();
  }

  async #changeItems(collection: PlainCollection): Promise<void> {
    const world = this.#world;
    const inside = [...collection.devices.keys()];
    if (inside.length > 0 && this.#chance.oneIn(2)) {
      this.#count('device out of collection');
      return world.takeDevice(collection, this.#chance.pick(inside));
    }
    const isByAdmin = this.#chance.oneIn(3);
    const outside = [...world.devices.values()].filter(
      (device) => !collection.devices.has(device.key) && (isByAdmin || mayRead(world, collection.ownerID, device)),
    );
    if (outside.length === 0) return;
    this.#count('device into collection');
    const isShared = isByAdmin || (world.people.get(collection.ownerID)?.isAdmin ?? false);
    await world.placeDevice(collection, this.#chance.pick(outside).key, isByAdmin, isShared);
  }

  async #changeMembers(collection: PlainCollection): Promise<void> {
    const userID = this.#owner;
    if (userID === collection.ownerID) return;
    if (collection.members.has(userID)) {
      this.#count('itemID' in collection.members.get(userID)! ? 'right taken' : 'right taken through a team');
      return this.#world.removeMember(collection, userID);
    }
    const by = this.#chance.pick(['item', 'team', 'ownTeam'] as const);
    this.#count(by === 'item' ? 'right given' : 'right given through a team');
    await this.#world.addMember(collection, userID, by);
  }

  #addRule(): Promise<void> {
    const ownerID = this.#owner;
    return this.#world.addRule(ownerID, randomRule(this.#chance, this.#namedBy(ownerID)));
  }

  /** What the person may name in a rule. */
  #namedBy(userID: number) {
    const world = this.#world;
    const isAdmin = world.people.get(userID)?.isAdmin ?? false;
    return {
      deviceIDs: [...world.devices.values()].filter((device) => mayRead(world, userID, device)).map(({ key }) => key),
      collectionIDs: [...world.collections.values()]
        .filter(({ ownerID, members }) => isAdmin || ownerID === userID || members.has(userID))
        .map(({ key }) => key),
    };
  }

  async #changeRule(): Promise<void> {
    const rule = this.#chance.pick([...this.#world.rules.values()]);
    this.#count('rule changed');
    if (this.#chance.oneIn(4)) {
      await this.#world.removeRule(rule);
      return this.#addRule();
    }
    if (this.#chance.oneIn(4) || !rule.isEnabled) return this.#world.enableRule(rule, !rule.isEnabled);
    await this.#world.changeRule(rule, randomRule(this.#chance, this.#namedBy(rule.ownerID)));
  }
}
