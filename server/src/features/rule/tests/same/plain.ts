import type { NewRule } from '@earshot/contract/rule';
import type { RuleActiveTime, RuleAtLeast, RuleWhere } from '@earshot/contract/rule-parts';
import type { RuleWhen } from '@earshot/contract/rule-when';
import { containsTerms, readTerms } from '@earshot/contract/words/public';

/*
 * What rules mean, read plainly: loops over all clips, people and devices in memory. No database and no code of the server;
 * of the product only the module that says what words mean, which search, trial and engine share.
 */

export interface PlainPerson {
  readonly userID: number;
  isAdmin: boolean;
}

export interface PlainDevice {
  readonly key: number;
  ownerID: number;
  timeZone: string | undefined;
}

export interface PlacedDevice {
  readonly itemID: number;
  readonly placedBy: number;
  readonly isByAdmin: boolean;
}

/** By an item, as a person of a team that is a member, or because the person's own team became one. */
export type Membership = { readonly itemID: number } | { readonly teamID: number; readonly isOwnTeam: boolean };

export interface PlainCollection {
  readonly key: number;
  readonly ownerID: number;
  /** How each of its members became one. */
  readonly members: Map<number, Membership>;
  /** Of its devices. */
  readonly devices: Map<number, PlacedDevice>;
}

export interface PlainTag {
  readonly key: number;
  readonly name: string;
  readonly confidence: number;
}

/** Undefined is unknown. */
export interface PlainSound {
  readonly isSilent: boolean | undefined;
  readonly speechSeconds: number | undefined;
  readonly levelDb: number | undefined;
  readonly clippedPercent: number | undefined;
}

export interface PlainClip {
  readonly key: number;
  readonly ordinal: number;
  deviceID: number;
  startMs: number;
  endMs: number | undefined;
  transcript: string | undefined;
  tags: PlainTag[];
  isLabelled: boolean;
  /** Whether its sound is here, or was until retention removed it. */
  hadSound: boolean;
  fileID: number | undefined;
  sound: PlainSound;
  call: { readonly talkgroup: number; readonly units: readonly number[]; readonly isEmergency: boolean } | undefined;
  /** When it was stored, and when it was stored or changed last, in steps of the run. */
  readonly addedAt: number;
  changedAt: number;
  /** The devices that were merged while it was theirs. */
  formerDevices: readonly number[];
}

export interface PlainRule {
  readonly key: number;
  readonly ownerID: number;
  version: number;
  isEnabled: boolean;
  rule: NewRule;
  changedAt: number;
  /** Since when each of its devices is in `where`, and by which of its talkgroups. */
  since: Map<number, { readonly step: number; readonly by: string }>;
  /** When devices were in `where` last, since the rule's last change. */
  readonly lastIn: Map<number, number>;
}

export interface PlainWorld {
  readonly people: Map<number, PlainPerson>;
  readonly devices: Map<number, PlainDevice>;
  readonly collections: Map<number, PlainCollection>;
  readonly clips: Map<number, PlainClip>;
  /** Where merged devices went. */
  readonly merged: Map<number, number>;
}

type Truth = 'true' | 'false' | 'unknown';

const truthOf = (is: boolean): Truth => (is ? 'true' : 'false');

export function mayRead(world: PlainWorld, userID: number, device: PlainDevice): boolean {
  if (world.people.get(userID)?.isAdmin || device.ownerID === userID) return true;
  for (const { ownerID, members, devices } of world.collections.values()) {
    const placed = devices.get(device.key);
    if (!placed || !(placed.isByAdmin || placed.placedBy === device.ownerID)) continue;
    if (ownerID === userID || members.has(userID)) return true;
  }
  return false;
}

/** The device that this key means now. */
export function presentDevice({ merged }: PlainWorld, key: number): number {
  let present = key;
  while (merged.has(present)) present = merged.get(present)!;
  return present;
}

/** The devices that a rule looks at now. */
export function devicesOf(world: PlainWorld, { ownerID, rule }: Pick<PlainRule, 'ownerID' | 'rule'>): Set<number> {
  const found = new Set<number>();
  const { deviceIDs = [], collectionIDs = [] } = rule.where ?? {};
  const named = new Set(deviceIDs.map((key) => presentDevice(world, key)));
  for (const device of world.devices.values()) {
    const isPlaced = collectionIDs.some((key) => world.collections.get(key)?.devices.has(device.key));
    if (deviceIDs.length > 0 && !named.has(device.key)) continue;
    if (collectionIDs.length > 0 && !isPlaced) continue;
    if (mayRead(world, ownerID, device)) found.add(device.key);
  }
  return found;
}

/** By which entries that name a device a device is in the talkgroups of a rule: one that is merged brings its entries. */
export const talkgroupsOf = (world: PlainWorld, { rule }: Pick<PlainRule, 'rule'>, deviceID: number): string =>
  (rule.where?.talkgroups ?? [])
    .filter((entry) => entry.deviceID !== undefined && presentDevice(world, entry.deviceID) === deviceID)
    .map(({ talkgroup }) => talkgroup)
    .toSorted((one, other) => one - other)
    .join(' ');

/** The clips that match the rule now. */
export function plainMatches(world: PlainWorld, rule: Pick<PlainRule, 'ownerID' | 'rule'>): Set<number> {
  const devices = devicesOf(world, rule);
  const satisfying: PlainClip[] = [];
  for (const clip of world.clips.values()) {
    if (devices.has(clip.deviceID) && satisfies(world, rule.rule, clip)) satisfying.push(clip);
  }
  const found = new Set<number>();
  for (const clip of satisfying) if (isFull(rule.rule.atLeast, clip, satisfying)) found.add(clip.key);
  return found;
}

function isFull(atLeast: RuleAtLeast | undefined, clip: PlainClip, satisfying: readonly PlainClip[]): boolean {
  if (!atLeast) return true;
  let count = 0;
  for (const other of satisfying) {
    if (!atLeast.acrossDevices && other.deviceID !== clip.deviceID) continue;
    if (other.startMs > clip.startMs - atLeast.withinSeconds * 1_000 && other.startMs <= clip.startMs) count += 1;
  }
  return count >= atLeast.count;
}

function satisfies(world: PlainWorld, { where, when, activeTimes = [] }: NewRule, clip: PlainClip): boolean {
  const zone = world.devices.get(clip.deviceID)?.timeZone ?? 'UTC';
  const isActive = activeTimes.length === 0 || activeTimes.some((time) => isInside(time, clip.startMs, zone));
  return isActive && isInCall(world, where, clip) && judge(when, clip) === 'true';
}

function isInCall(world: PlainWorld, where: RuleWhere | undefined, { call, deviceID }: PlainClip): boolean {
  const { talkgroups = [], units = [], isEmergency } = where ?? {};
  if (talkgroups.length === 0 && units.length === 0 && isEmergency === undefined) return true;
  if (!call) return false;
  const isOfTalkgroup = talkgroups.some(
    (entry) =>
      entry.talkgroup === call.talkgroup &&
      (entry.deviceID === undefined || presentDevice(world, entry.deviceID) === deviceID),
  );
  if (talkgroups.length > 0 && !isOfTalkgroup) return false;
  if (units.length > 0 && !units.some((unit) => call.units.includes(unit))) return false;
  return isEmergency === undefined || isEmergency === call.isEmergency;
}

/** Three-valued logic as the tables of Kleene have it. */
export function judge(when: RuleWhen, clip: PlainClip): Truth {
  if (when.all) {
    const truths = new Set(when.all.map((entry) => judge(entry, clip)));
    if (truths.has('false')) return 'false';
    return truths.has('unknown') ? 'unknown' : 'true';
  }
  const some = when.any ?? when.none;
  if (some) {
    const truths = new Set(some.map((entry) => judge(entry, clip)));
    const any: Truth = truths.has('true') ? 'true' : truths.has('unknown') ? 'unknown' : 'false';
    if (when.any || any === 'unknown') return any;
    return any === 'true' ? 'false' : 'true';
  }
  return judgeCondition(when, clip);
}

function judgeCondition(when: RuleWhen, clip: PlainClip): Truth {
  if (when.words !== undefined) {
    if (clip.transcript === undefined) return 'unknown';
    return truthOf(containsTerms(clip.transcript, readTerms(when.words, 'words')));
  }
  if (when.tagName !== undefined) {
    const same = clip.tags.filter(({ name }) => name.toLowerCase() === when.tagName!.toLowerCase());
    if (same.some(({ confidence }) => confidence >= (when.minConfidence ?? 0))) return 'true';
    return clip.isLabelled ? 'false' : 'unknown';
  }
  if (when.anySound) {
    if (!clip.hadSound) return 'false';
    return clip.sound.isSilent === undefined ? 'unknown' : truthOf(!clip.sound.isSilent);
  }
  if (when.lengthSeconds)
    return inRange(clip.endMs === undefined ? undefined : (clip.endMs - clip.startMs) / 1_000, when.lengthSeconds);
  if (when.speechSeconds) return inRange(clip.sound.speechSeconds, when.speechSeconds);
  if (when.levelDb) return inRange(clip.sound.levelDb, when.levelDb);
  return inRange(clip.sound.clippedPercent, when.clippedPercent ?? {});
}

function inRange(
  value: number | undefined,
  { min = -Infinity, max = Infinity }: { min?: number | undefined; max?: number | undefined },
): Truth {
  return value === undefined ? 'unknown' : truthOf(value >= min && value <= max);
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const clocks = new Map<string, Intl.DateTimeFormat>();

/** What the clock on the wall shows there: the day of the week, 1 is Monday, and "22:05". */
function wallClock(zone: string, ms: number): { day: number; time: string } {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    clocks.set(zone, clock);
  }
  const parts = new Map(clock.formatToParts(ms).map(({ type, value }) => [type, value]));
  return {
    day: weekdays.indexOf(parts.get('weekday') ?? '') + 1,
    time: `${parts.get('hour')}:${parts.get('minute')}`,
  };
}

/** A time whose end is not after its beginning ends on the next day, and belongs to the day on which it begins. */
function isInside({ days = [], from, to, timeZone }: RuleActiveTime, ms: number, zoneOfDevice: string): boolean {
  const { day, time } = wallClock(timeZone ?? zoneOfDevice, ms);
  const isOn = (on: number): boolean => days.length === 0 || days.includes(on);
  if (from < to) return isOn(day) && time >= from && time < to;
  return (isOn(day) && time >= from) || (isOn(day === 1 ? 7 : day - 1) && time < to);
}
