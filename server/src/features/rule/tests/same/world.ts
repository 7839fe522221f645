import type { Client } from '@earshot/client/client';
import type { NewRule } from '@earshot/contract/rule';
import type { TestServer } from '@earshot/server/testing/server';
import { caption } from '../../../caption-search/tests/speech.ts';
import type { PlainClip, PlainCollection, PlainDevice, PlainPerson, PlainRule, PlainTag, PlainWorld } from './plain.ts';
import { devicesOf, talkgroupsOf } from './plain.ts';
import { noFacts } from './random-clip.ts';

/*
 * A platform, and beside it the same in memory: each change is made through the API and, when it has succeeded, in memory.
 * What no operation offers, because a program does it that listens to sound, is written as that program writes it.
 */

interface Member extends PlainPerson {
  readonly client: Client;
}

export class World implements PlainWorld {
  readonly people = new Map<number, Member>();
  readonly devices = new Map<number, PlainDevice>();
  readonly collections = new Map<number, PlainCollection>();
  readonly clips = new Map<number, PlainClip>();
  readonly merged = new Map<number, number>();
  readonly rules = new Map<number, PlainRule>();
  /** Of each collection, a team that is a member of it. */
  readonly #teams = new Map<number, number>();
  /** Of the run; all changes of one step are made at once. */
  step = 0;

  readonly server: TestServer;
  readonly admin: Client;
  #serial = 0;

  private constructor(server: TestServer, admin: Client) {
    this.server = server;
    this.admin = admin;
  }

  static async create(server: TestServer, people: number): Promise<World> {
    const world = new World(server, (await server.admin.withKey()).client);
    for (let at = 0; at < people; at++) {
      const person = await server.addPerson();
      const { client } = await person.withKey();
      world.people.set(person.userID, { userID: person.userID, isAdmin: false, client });
    }
    return world;
  }

  /** After each step: since when each device is in `where` of each rule. */
  noteScopes(): void {
    for (const rule of this.rules.values()) {
      const devices = devicesOf(this, rule);
      for (const key of rule.since.keys()) if (!devices.has(key)) rule.since.delete(key);
      for (const key of devices) {
        const by = talkgroupsOf(this, rule, key);
        if (rule.since.get(key)?.by !== by) rule.since.set(key, { step: this.step, by });
        rule.lastIn.set(key, this.step);
      }
    }
  }

  clientOf(userID: number): Client {
    return this.people.get(userID)!.client;
  }

  async addDevice(ownerID: number, timeZone: string | undefined): Promise<void> {
    const body = { deviceSerial: `same-${ownerID}-${this.#serial++}`, ...(timeZone ? { timeZone } : {}) };
    const { key = 0 } = await this.clientOf(ownerID).createDevice({ body });
    this.devices.set(key, { key, ownerID, timeZone });
  }

  async changeZone(device: PlainDevice, timeZone: string): Promise<void> {
    await this.admin.updateDevice({ params: { deviceID: device.key }, body: { timeZone } });
    device.timeZone = timeZone;
  }

  async giveDevice(device: PlainDevice, ownerID: number): Promise<void> {
    await this.admin.updateDevice({ params: { deviceID: device.key }, body: { userID: ownerID } });
    device.ownerID = ownerID;
  }

  async changeRole(person: PlainPerson, isAdmin: boolean): Promise<void> {
    await this.server.admin.session.updateUser({
      params: { userID: person.userID },
      body: { role: isAdmin ? 'admin' : 'member' },
    });
    person.isAdmin = isAdmin;
  }

  async mergeDevice(device: PlainDevice, into: PlainDevice): Promise<void> {
    await this.admin.mergeDevice({ params: { deviceID: device.key }, body: { intoDeviceID: into.key } });
    for (const clip of this.clipsOf(device.key)) {
      clip.formerDevices = [...clip.formerDevices, clip.deviceID];
      clip.deviceID = into.key;
      clip.changedAt = this.step;
    }
    this.merged.set(device.key, into.key);
    this.#forgetDevice(device.key);
  }

  async removeDevice(device: PlainDevice): Promise<void> {
    await this.admin.deleteDevice({ params: { deviceID: device.key } });
    for (const { key } of this.clipsOf(device.key)) this.clips.delete(key);
    this.#forgetDevice(device.key);
  }

  #forgetDevice(key: number): void {
    this.devices.delete(key);
    for (const { devices } of this.collections.values()) devices.delete(key);
  }

  /** In the order in which they were begun, whichever was stored first. */
  get clipList(): PlainClip[] {
    return [...this.clips.values()].toSorted((one, other) => one.ordinal - other.ordinal);
  }

  clipsOf(deviceID: number): PlainClip[] {
    return this.clipList.filter((clip) => clip.deviceID === deviceID);
  }

  isTaken(deviceID: number, startMs: number): boolean {
    return this.clipsOf(deviceID).some((clip) => clip.startMs === startMs);
  }

  async addCollection(ownerID: number): Promise<void> {
    const { key = 0 } = await this.clientOf(ownerID).createCollection({ body: { collectionName: 'Quay' } });
    this.collections.set(key, { key, ownerID, members: new Map(), devices: new Map() });
    const teamID = await this.#addTeam([]);
    await this.clientOf(ownerID).addCollectionTeam({ params: { collectionID: key, teamID } });
    this.#teams.set(key, teamID);
  }

  async #addTeam(userIDs: number[]): Promise<number> {
    const team = await this.server.admin.session.createTeam({ body: { teamName: 'North team', userIDs } });
    return team.key ?? 0;
  }

  async removeCollection({ key }: PlainCollection): Promise<void> {
    await this.admin.deleteCollection({ params: { collectionID: key } });
    this.collections.delete(key);
  }

  async addMember(
    { key, ownerID, members }: PlainCollection,
    userID: number,
    by: 'item' | 'team' | 'ownTeam',
  ): Promise<void> {
    const client = this.clientOf(ownerID);
    if (by === 'item') {
      const body = { itemType: 'user' as const, itemID: userID };
      const item = await client.addCollectionItem({ params: { collectionItemID: key }, body });
      members.set(userID, { itemID: item.key ?? 0 });
    } else if (by === 'team') {
      const teamID = this.#teams.get(key)!;
      await this.server.admin.session.addTeamPerson({ params: { teamID, userID } });
      members.set(userID, { teamID, isOwnTeam: false });
    } else {
      const teamID = await this.#addTeam([userID]);
      await client.addCollectionTeam({ params: { collectionID: key, teamID } });
      members.set(userID, { teamID, isOwnTeam: true });
    }
  }

  async removeMember({ key, members }: PlainCollection, userID: number): Promise<void> {
    const by = members.get(userID)!;
    if ('itemID' in by) await this.admin.removeCollectionItem({ params: { collectionItemID: by.itemID } });
    else if (by.isOwnTeam) await this.admin.removeCollectionTeam({ params: { collectionID: key, teamID: by.teamID } });
    else await this.server.admin.session.removeTeamPerson({ params: { teamID: by.teamID, userID } });
    members.delete(userID);
  }

  /** By the owner of the collection, or by the admin of the installation; what an admin places is shared. */
  async placeDevice(
    collection: PlainCollection,
    deviceID: number,
    isByAdmin: boolean,
    isShared: boolean,
  ): Promise<void> {
    const placedBy = isByAdmin ? this.server.admin.userID : collection.ownerID;
    const body = { itemType: 'device' as const, itemID: deviceID };
    const client = isByAdmin ? this.admin : this.clientOf(placedBy);
    const { key = 0 } = await client.addCollectionItem({ params: { collectionItemID: collection.key }, body });
    collection.devices.set(deviceID, { itemID: key, placedBy, isByAdmin: isShared });
  }

  async takeDevice({ devices }: PlainCollection, deviceID: number): Promise<void> {
    await this.admin.removeCollectionItem({ params: { collectionItemID: devices.get(deviceID)!.itemID } });
    devices.delete(deviceID);
  }

  async addRule(ownerID: number, rule: NewRule): Promise<void> {
    const { key = 0 } = await this.clientOf(ownerID).createRule({ body: rule });
    this.rules.set(key, {
      key,
      ownerID,
      version: 1,
      isEnabled: true,
      rule,
      changedAt: this.step,
      since: new Map(),
      lastIn: new Map(),
    });
  }

  /** Every part of the rule; what the new one does not have is cleared. */
  async changeRule(rule: PlainRule, changed: NewRule): Promise<void> {
    const cleared = { where: null, atLeast: null, activeTimes: [], actions: [] };
    await this.#updateRule(rule, { ...cleared, ...changed });
    rule.rule = changed;
  }

  async enableRule(rule: PlainRule, isEnabled: boolean): Promise<void> {
    await this.#updateRule(rule, { isEnabled });
    rule.isEnabled = isEnabled;
  }

  async #updateRule(rule: PlainRule, change: object): Promise<void> {
    const body = { version: rule.version, ...change };
    const { version = 0 } = await this.clientOf(rule.ownerID).updateRule({ params: { ruleID: rule.key }, body });
    rule.version = version;
    rule.changedAt = this.step;
    rule.since = new Map();
    rule.lastIn.clear();
  }

  async removeRule({ key }: PlainRule): Promise<void> {
    await this.admin.deleteRule({ params: { ruleID: key } });
    this.rules.delete(key);
  }

  async addClip(deviceID: number, startMs: number, lengthSeconds: number | undefined): Promise<PlainClip> {
    const ordinal = this.#serial++;
    const length = lengthSeconds === undefined ? {} : { clipLengthInSeconds: lengthSeconds };
    const body = { deviceID, audioClipTypeID: 0, ...partsOf(startMs), ...length };
    const { key = 0 } = await this.admin.createAudioClip({ body });
    const clip: PlainClip = {
      key,
      ordinal,
      deviceID,
      startMs,
      endMs: lengthSeconds === undefined ? undefined : startMs + lengthSeconds * 1_000,
      transcript: undefined,
      tags: [],
      isLabelled: false,
      hadSound: false,
      fileID: undefined,
      sound: noFacts,
      call: undefined,
      formerDevices: [],
      addedAt: this.step,
      changedAt: this.step,
    };
    this.clips.set(key, clip);
    return clip;
  }

  async redate(clip: PlainClip, startMs: number): Promise<void> {
    const lengthMs = clip.endMs === undefined ? undefined : clip.endMs - clip.startMs;
    const length = lengthMs === undefined ? {} : { clipLengthInSeconds: lengthMs / 1_000 };
    await this.admin.updateAudioClip({ params: { audioClipID: clip.key }, body: { ...partsOf(startMs), ...length } });
    Object.assign(clip, { startMs, endMs: lengthMs === undefined ? undefined : startMs + lengthMs });
    clip.changedAt = this.step;
  }

  async removeClip({ key }: PlainClip): Promise<void> {
    await this.admin.deleteAudioClip({ params: { audioClipID: key } });
    this.clips.delete(key);
  }

  /** By a person. */
  async correct(clip: PlainClip, transcript: string): Promise<void> {
    await this.admin.correctCaption({ params: { captionID: clip.key }, body: { transcript } });
    Object.assign(clip, { transcript, changedAt: this.step });
  }

  /** As an engine does, also again. */
  async transcribe(clip: PlainClip, transcript: string): Promise<void> {
    await caption(this.server.db, clip, transcript);
    Object.assign(clip, { transcript, changedAt: this.step });
  }

  async putTag(clip: PlainClip, tagName: string, confidence: number): Promise<void> {
    const body = { tagName, confidence };
    const { key = 0 } = await this.admin.createAudioClipTag({ params: { audioClipID: clip.key }, body });
    clip.tags.push({ key, name: tagName, confidence });
    clip.changedAt = this.step;
  }

  async removeTag(clip: PlainClip, tag: PlainTag): Promise<void> {
    const params = { audioClipID: clip.key, audioClipTagID: tag.key };
    await this.admin.deleteAudioClipTag({ params });
    clip.tags = clip.tags.filter((each) => each !== tag);
    clip.changedAt = this.step;
  }
}

const partsOf = (startMs: number) => ({ startTime: Math.floor(startMs / 1_000), startTimeMs: startMs % 1_000 });
