import { randomUUID } from 'node:crypto';
import type { Act, Right } from '@earshot/contract/operation';
import type { RecordKind } from '@earshot/contract/record-kind';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { addTestChannel, addTestSubscription } from './add-channel.ts';
import type { Cast } from './cast.ts';
import { passwordHolder } from './cast.ts';
import { insertBulkJob } from './insert-bulk-job.ts';
import { insertClipVersion } from './insert-clip-version.ts';
import { insertAlert, insertRule } from './insert-rule.ts';
import { insertTeam } from './insert-team.ts';
import {
  insertAgent,
  insertAuditEntry,
  insertClip,
  insertClipTag,
  insertCollection,
  insertCollectionItem,
  insertDevice,
  insertEventPreset,
  insertFile,
  insertHealthReport,
  insertLogLine,
  insertRollout,
  insertSavedSearch,
  insertSession,
  insertSilentClip,
  insertTakenEvent,
  insertUpload,
  insertUploadKey,
  insertUser,
} from './inserts.ts';

/** The relation of the member to a record: owned, shared, or without access. */
export type Standing = 'none' | Right;
export const standings: readonly Standing[] = ['none', 'read', 'write', 'own'];

export interface Fixture {
  readonly key: number;
  /** The text by which requests may name it instead of its key. */
  readonly names?: Readonly<Record<string, string>>;
}

export interface World {
  readonly server: TestServer;
  readonly cast: Cast;
  /** The one record of this kind and standing, created on first use. Records of one standing belong together. */
  record(kind: RecordKind, standing: Standing): Promise<Fixture>;
}

export interface KindFixture {
  /**
   * The right of a member to a record of this kind, if the member has this standing to the record that it belongs to.
   */
  readonly gives: (standing: Standing) => Standing;
  /** Whether an admin may read and change it, also if another person owns it. */
  readonly openToAdmin: boolean;
  readonly names: readonly string[];
  readonly make: (world: World, standing: Standing) => Promise<Fixture>;
}

export function createWorld(server: TestServer, cast: Cast): World {
  const made = new Map<string, Promise<Fixture>>();
  const world: World = {
    server,
    cast,
    record(kind, standing) {
      const name = `${kind} ${standing}`;
      const record = made.get(name) ?? kinds[kind].make(world, standing);
      made.set(name, record);
      return record;
    },
  };
  return world;
}

const holderOf = ({ cast }: World, standing: Standing): Person => (standing === 'own' ? cast.member : cast.owner);
const isLent = (standing: Standing): boolean => standing === 'read' || standing === 'write';
const asItStands = (standing: Standing): Standing => standing;
const ownOnly = (standing: Standing): Standing => (standing === 'own' ? 'own' : 'none');

/**
 * With an event, so that a poll is answered at once. Its clip is in the range of the examples, to be joined and
 * exported.
 */
async function makeDevice(world: World, standing: Standing): Promise<Fixture> {
  const names = { deviceSerial: `made-${randomUUID()}`, deviceName: `Device ${randomUUID()}` };
  const device = await insertDevice(world.server, {
    ...names,
    userID: holderOf(world, standing).userID,
    startMs: firstStartMs + (deviceCount++ % 1000),
    collectionID: isLent(standing) ? (await world.record('collection', standing)).key : null,
  });
  // One operation accepts a device in place of a clip.
  const metadata = metadataNaming(names.deviceSerial);
  return { ...device, names: { ...names, audioClipID: names.deviceSerial, 'upload-metadata': metadata } };
}

const firstStartMs = 1_794_704_400_000;
/** The clips of two devices begin at different milliseconds, so that the devices can be merged. */
let deviceCount = 0;

/** The header Upload-Metadata that names a device. */
export const metadataNaming = (deviceSerial: string): string =>
  `deviceSerial ${Buffer.from(deviceSerial).toString('base64')}`;

/** Taken, so that it can be both reported on and cancelled. */
async function makeEvent(world: World, standing: Standing): Promise<Fixture> {
  const { key: deviceID } = await world.record('device', standing);
  return insertTakenEvent(world.server.db, holderOf(world, standing).userID, deviceID);
}

async function makeEventPreset(world: World, standing: Standing): Promise<Fixture> {
  const { key: deviceID } = await world.record('device', standing);
  return insertEventPreset(world.server.db, holderOf(world, standing).userID, deviceID);
}

/** Shared by its `memberAccess`: contains the member. */
async function makeCollection(world: World, standing: Standing): Promise<Fixture> {
  const { db } = world.server;
  const { userID } = holderOf(world, standing);
  const collection = await insertCollection(db, userID, standing === 'write' ? 'write' : 'read');
  if (isLent(standing)) await insertCollectionItem(db, userID, collection.key, { memberID: world.cast.member.userID });
  return collection;
}

/** Seen by the member through a collection, or as one of its people. */
async function makeTeam(world: World, standing: Standing): Promise<Fixture> {
  const { db } = world.server;
  if (standing === 'own') return insertTeam(db, world.cast.member.userID);
  return insertTeam(db, null, isLent(standing) ? (await world.record('collection', standing)).key : null);
}

async function makeCollectionItem(world: World, standing: Standing): Promise<Fixture> {
  const [collection, device] = [await world.record('collection', standing), await world.record('device', standing)];
  const { userID } = holderOf(world, standing);
  return insertCollectionItem(world.server.db, userID, collection.key, { deviceID: device.key });
}

/** With sound, so that it can be played; newer than the clips of devices, so that it is first in every list. */
async function makeAudioClip(world: World, standing: Standing): Promise<Fixture> {
  const { key: deviceID } = await world.record('device', standing);
  const clip = await insertClip(world.server, holderOf(world, standing).userID, deviceID, radioStartMs);
  await world.server.db`
    insert into radio_calls (audio_clip_id, device_id, clip_start_ms, talkgroup)
    values (${clip.key}, ${deviceID}, ${radioStartMs}, 4521)`;
  return clip;
}

const radioStartMs = 2_000_000_000_000;

/** An available file of a device. */
async function makeFile(world: World, standing: Standing): Promise<Fixture> {
  const { key: deviceID } = await world.record('device', standing);
  return insertFile(world.server, deviceID);
}

async function makeAgent(world: World, standing: Standing): Promise<Fixture> {
  const { key: deviceID } = await world.record('device', standing);
  return insertAgent(world.server.db, holderOf(world, standing).userID, deviceID);
}

async function makeAudioClipTag(world: World, standing: Standing): Promise<Fixture> {
  const { key: audioClipID } = await world.record('audioclip', standing);
  return insertClipTag(world.server.db, holderOf(world, standing).userID, audioClipID);
}

async function makeAudioClipVersion(world: World, standing: Standing): Promise<Fixture> {
  const { key: audioClipID } = await world.record('audioclip', standing);
  return insertClipVersion(world.server, audioClipID);
}

/** Written by hand, for a clip of its own. Created over HTTP, because a caption is also indexed for the search. */
async function makeCaption(world: World, standing: Standing): Promise<Fixture> {
  const { key: deviceID } = await world.record('device', standing);
  const { session, userID } = holderOf(world, standing);
  const { key } = await insertSilentClip(world.server.db, userID, deviceID, 1_999_999_000_000);
  await session.correctCaption({ params: { captionID: key }, body: { transcript: 'Good morning.' } });
  return { key };
}

const ofDevice =
  (insert: (db: TestServer['db'], deviceID: number) => Promise<Fixture>) =>
  async (world: World, standing: Standing): Promise<Fixture> =>
    insert(world.server.db, (await world.record('device', standing)).key);

async function makeRollout(world: World, standing: Standing): Promise<Fixture> {
  const { key: deviceID } = await world.record('device', standing);
  return insertRollout(world.server.db, holderOf(world, standing).userID, deviceID);
}

const ofHolder =
  (insert: (db: TestServer['db'], userID: number) => Promise<Fixture>) =>
  (world: World, standing: Standing): Promise<Fixture> =>
    insert(world.server.db, holderOf(world, standing).userID);

async function makeAlert(world: World, standing: Standing): Promise<Fixture> {
  const { key: deviceID } = await world.record('device', standing);
  return insertAlert(world.server.db, holderOf(world, standing).userID, deviceID);
}

/** Created over HTTP, because its secret is encrypted with the server's key. */
async function makeApiKey(world: World, standing: Standing): Promise<Fixture> {
  const { key: deviceID } = await world.record('device', standing);
  const { key = 0 } = await holderOf(world, standing).session.createDeviceKey({ params: { deviceID }, body: {} });
  return { key };
}

async function makeUpload(world: World, standing: Standing): Promise<Fixture> {
  const { key: deviceID } = await world.record('device', standing);
  return insertUpload(world.server.db, holderOf(world, standing).userID, deviceID);
}

/** A new person who owns nothing, and so may be removed, or the member. */
async function makeUser({ server, cast }: World, standing: Standing): Promise<Fixture> {
  if (standing === 'own') return { key: cast.member.userID };
  return insertUser(server.db, 'member', await passwordHolder(server));
}

/** A provider for every kind of record, so that every operation on such records is in the table. */
export const kinds: Readonly<Record<RecordKind, KindFixture>> = {
  // Belongs to the person who started it.
  bulkjob: { gives: ownOnly, openToAdmin: true, names: [], make: ofHolder(insertBulkJob) },
  // Seen by the owner of its rule and those whom it tells, so sharing a device gives no right to it.
  alert: { gives: ownOnly, openToAdmin: true, names: [], make: makeAlert },
  agent: { gives: asItStands, openToAdmin: true, names: [], make: makeAgent },
  // A right to a device does not include keys that other people created for it.
  apikey: { gives: ownOnly, openToAdmin: true, names: [], make: makeApiKey },
  audioclip: { gives: asItStands, openToAdmin: true, names: [], make: makeAudioClip },
  audiocliptag: { gives: asItStands, openToAdmin: true, names: [], make: makeAudioClipTag },
  audioclipversion: { gives: asItStands, openToAdmin: true, names: [], make: makeAudioClipVersion },
  caption: { gives: asItStands, openToAdmin: true, names: [], make: makeCaption },
  // Belongs to the person who made it.
  channel: {
    gives: ownOnly,
    openToAdmin: true,
    names: [],
    make: (world, standing) => addTestChannel(holderOf(world, standing).session),
  },
  collection: { gives: asItStands, openToAdmin: true, names: [], make: makeCollection },
  collectionitem: { gives: asItStands, openToAdmin: true, names: [], make: makeCollectionItem },
  device: {
    gives: asItStands,
    openToAdmin: true,
    names: ['deviceSerial', 'deviceName', 'audioClipID', 'upload-metadata'],
    make: makeDevice,
  },
  devicehealth: { gives: asItStands, openToAdmin: true, names: [], make: ofDevice(insertHealthReport) },
  event: { gives: asItStands, openToAdmin: true, names: [], make: makeEvent },
  eventpreset: { gives: asItStands, openToAdmin: true, names: [], make: makeEventPreset },
  file: { gives: asItStands, openToAdmin: true, names: [], make: makeFile },
  logmessage: { gives: asItStands, openToAdmin: true, names: [], make: ofDevice(insertLogLine) },
  // Belongs to the person who started it; sharing a device gives no right to it.
  rollout: { gives: ownOnly, openToAdmin: true, names: [], make: makeRollout },
  // A rule has the rights of its owner, so sharing a device gives no right to it.
  rule: { gives: ownOnly, openToAdmin: true, names: [], make: ofHolder(insertRule) },
  // People read what they did themselves.
  auditentry: { gives: ownOnly, openToAdmin: true, names: [], make: ofHolder(insertAuditEntry) },
  savedsearch: { gives: ownOnly, openToAdmin: false, names: [], make: ofHolder(insertSavedSearch) },
  // Visible to their person only; not the holder's current one, which the table still needs.
  session: { gives: ownOnly, openToAdmin: false, names: [], make: ofHolder(insertSession) },
  // Belongs to the owner of its channel.
  subscription: {
    gives: ownOnly,
    openToAdmin: true,
    names: [],
    make: (world, standing) => addTestSubscription(holderOf(world, standing).session),
  },
  // Only admins change teams.
  team: { gives: (standing) => (standing === 'none' ? 'none' : 'read'), openToAdmin: true, names: [], make: makeTeam },
  // Everybody knows the name of every team, so that they can share with it.
  teamname: {
    gives: () => 'read',
    openToAdmin: true,
    names: [],
    make: (world, standing) => world.record('team', standing),
  },
  upload: { gives: asItStands, openToAdmin: true, names: [], make: makeUpload },
  uploadkey: { gives: ownOnly, openToAdmin: true, names: [], make: ofHolder(insertUploadKey) },
  // People can see each other, so that they can share.
  user: { gives: (standing) => (standing === 'own' ? 'own' : 'read'), openToAdmin: true, names: [], make: makeUser },
};

export const actName = ({ by }: Act): string => by.slice(by.indexOf('.') + 1);
