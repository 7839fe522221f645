import type { Chance } from './chance.ts';
import type { PlainClip, PlainCollection } from './plain.ts';
import { mayRead } from './plain.ts';
import { changeNights, isInNight, randomCall, randomSound, randomStart, randomTranscript } from './random-clip.ts';
import { tagNames, seconds, zones } from './random-clip.ts';
import { randomRule } from './random-rule.ts';
import type { World } from './world.ts';

/** How often each kind of change was made. */
export type Kinds = Map<string, number>;

const nightNames = changeNights.map(({ zone, atMs }) => `${zone} ${new Date(atMs).toISOString().slice(0, 10)}`);

export const allKinds: readonly string[] = [
  ...['hours late', 'same second on two devices', 'corrected', 'corrected back', 'transcribed again', 'tag put'],
  ...['tag removed', 'labelled', 're-dated', 'clip deleted', 'sound given', 'sound expired', 'merged'],
  ...['device deleted', 'right given', 'right taken', 'owner changed', 'role changed', 'device into collection'],
  ...['device out of collection', 'zone changed', 'rule changed', ...nightNames],
];

/** What changes beside clips, as often as it stands here. */
const otherKinds = 'members members members items items merge merge merge zone zone rule owner owner role device'.split(
  ' ',
);

const clipKinds =
  'correct correct-back correct-back transcribe tag tag untag untag redate redate remove sound label expire'.split(' ');

const hourMs = 3_600_000;

/** Makes random changes of a world, on nights in which clocks change. */
export class Steps {
  readonly #world: World;
  readonly #chance: Chance;
  readonly #kinds: Kinds;
  readonly #nights: typeof changeNights;
  readonly #formerTexts = new Map<number, string>();

  constructor(world: World, chance: Chance, kinds: Kinds) {
    this.#world = world;
    this.#chance = chance;
    this.#kinds = kinds;
    this.#nights = chance.some(changeNights, 3);
  }

  #count(kind: string): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
  }

  get #owner(): number {
    return this.#chance.pick([...this.#world.people.keys()]);
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
    this.#world.noteScopes();
    for (let at = 0; at < 15; at++) await this.#changeClips(() => this.#addClip());
  }

  /** One step: some clips at once, or one change of people, devices, collections or rules. */
  async next(): Promise<void> {
    if (this.#chance.oneIn(2)) await this.#changeClips(() => this.#changeClip());
    else await this.#changeRest();
    this.#world.noteScopes();
  }

  /** Removes everything, so that the next world begins empty. */
  async end(): Promise<void> {
    const { rules, devices, collections } = this.#world;
    for (const rule of rules.values()) await this.#world.removeRule(rule);
    for (const device of devices.values()) await this.#world.removeDevice(device);
    for (const collection of collections.values()) await this.#world.removeCollection(collection);
  }

  #busy = new Set<number>();
  #starts = new Set<string>();

  async #changeClips(change: () => Promise<void> | undefined): Promise<void> {
    this.#world.step += 1;
    this.#busy = new Set();
    this.#starts = new Set();
    await Promise.all(Array.from({ length: this.#chance.between(1, 8) }, change));
  }

  #freeStart(deviceID: number): number | undefined {
    const near = this.#chance.oneIn(2) ? this.#world.clipsOf(deviceID) : [...this.#world.clips.values()];
    const startMs = randomStart(this.#chance, this.#nights, near);
    const name = `${deviceID} ${startMs}`;
    if (this.#starts.has(name) || this.#world.isTaken(deviceID, startMs)) return undefined;
    this.#starts.add(name);
    return startMs;
  }

  async #addClip(): Promise<void> {
    const { devices, clips } = this.#world;
    const device = this.#chance.pick([...devices.values()]);
    const startMs = this.#freeStart(device.key);
    if (startMs === undefined) return;
    const others = [...clips.values()];
    if (others.some((clip) => clip.deviceID === device.key && clip.startMs >= startMs + hourMs))
      this.#count('hours late');
    if (others.some((clip) => clip.deviceID !== device.key && sameSecond(clip.startMs, startMs)))
      this.#count('same second on two devices');
    for (const [at, { zone, atMs }] of changeNights.entries())
      if (device.timeZone === zone && isInNight(atMs, startMs)) this.#count(nightNames[at]!);
    const chance = this.#chance;
    const clip = await this.#world.addClip(
      device.key,
      startMs,
      chance.oneIn(5) ? undefined : chance.pick(seconds.filter(Number.isInteger)),
    );
    this.#busy.add(clip.key);
    if (chance.oneIn(3)) await this.#world.setCall(clip, randomCall(chance));
    if (!chance.oneIn(3)) await this.#world.transcribe(clip, randomTranscript(chance));
    if (!chance.oneIn(3)) await this.#giveSound(clip);
    if (chance.oneIn(3)) await this.#putTag(clip);
  }

  #changeClip(): Promise<void> | undefined {
    const chance = this.#chance;
    const free = [...this.#world.clips.values()].filter(({ key }) => !this.#busy.has(key));
    if (free.length < 60 || chance.oneIn(4)) return this.#addClip();
    const change = chance.pick(clipKinds);
    const former = free.filter(({ key }) => this.#formerTexts.has(key));
    if (change === 'correct-back' && former.length === 0) return undefined;
    const clip = chance.pick(change === 'correct-back' ? former : free);
    this.#busy.add(clip.key);
    if (change === 'correct') return this.#correct(clip);
    if (change === 'correct-back') return this.#correctBack(clip);
    if (change === 'transcribe') return this.#transcribe(clip);
    if (change === 'tag') return this.#putTag(clip);
    if (change === 'untag') return this.#removeTag(clip);
    if (change === 'redate') return this.#redate(clip);
    if (change === 'sound') return this.#giveSound(clip);
    if (change === 'label') return this.#label(clip);
    if (change === 'expire') return this.#expire(clip);
    this.#count('clip deleted');
    return this.#world.removeClip(clip);
  }

  async #correct(clip: PlainClip): Promise<void> {
    const transcript = randomTranscript(this.#chance);
    if (transcript === clip.transcript) return;
    if (clip.transcript !== undefined) this.#formerTexts.set(clip.key, clip.transcript);
    this.#count('corrected');
    await this.#world.correct(clip, transcript);
  }

  /** To what it was before the last correction; then what was corrected is what was before. */
  async #correctBack(clip: PlainClip): Promise<void> {
    const [former, present] = [this.#formerTexts.get(clip.key)!, clip.transcript!];
    if (former === present) return;
    this.#formerTexts.set(clip.key, present);
    this.#count('corrected back');
    await this.#world.correct(clip, former);
  }

  async #transcribe(clip: PlainClip): Promise<void> {
    const transcript = randomTranscript(this.#chance);
    if (transcript === clip.transcript) return;
    if (clip.transcript !== undefined) this.#count('transcribed again');
    await this.#world.transcribe(clip, transcript);
  }

  async #putTag(clip: PlainClip): Promise<void> {
    const tagName = this.#chance.pick(tagNames);
    if (clip.tags.some(({ name }) => name.toLowerCase() === tagName.toLowerCase())) return;
    this.#count('tag put');
    await this.#world.putTag(clip, tagName, this.#chance.pick([60, 60.1, 99.5, 100]));
  }

  async #removeTag(clip: PlainClip): Promise<void> {
    if (clip.tags.length === 0) return;
    this.#count('tag removed');
    await this.#world.removeTag(clip, this.#chance.pick(clip.tags));
  }

  async #redate(clip: PlainClip): Promise<void> {
    const startMs = this.#freeStart(clip.deviceID);
    if (startMs === undefined) return;
    this.#count('re-dated');
    await this.#world.redate(clip, startMs);
  }

  async #giveSound(clip: PlainClip): Promise<void> {
    this.#count('sound given');
    await this.#world.giveSound(clip, randomSound(this.#chance));
    if (this.#chance.oneIn(2)) await this.#label(clip);
  }

  async #label(clip: PlainClip): Promise<void> {
    if (clip.fileID === undefined) return;
    this.#count('labelled');
    await this.#world.label(clip);
  }

  async #expire(clip: PlainClip): Promise<void> {
    if (clip.fileID === undefined) return;
    this.#count('sound expired');
    await this.#world.expireSound(clip);
  }

  async #changeRest(): Promise<void> {
    this.#world.step += 1;
    const chance = this.#chance;
    const kind = chance.pick(otherKinds);
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
      this.#count('right taken');
      return this.#world.removeMember(collection, userID);
    }
    this.#count('right given');
    await this.#world.addMember(collection, userID);
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

const sameSecond = (one: number, other: number): boolean => Math.floor(one / 1_000) === Math.floor(other / 1_000);
