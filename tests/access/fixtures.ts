import { randomUUID } from 'node:crypto';
import type { Act, RecordKind, Right } from '@earshot/contract/operation';
import { operations } from '@earshot/contract/operations';
import type { Person } from '@earshot/server/testing/person';
import { createPeople } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { sha256, tinyWav } from '../files/sound.ts';

/** What the member who asks has to do with a record: it is theirs, lent to them, or none of their business. */
export type Standing = 'none' | Right;
export const standings: readonly Standing[] = ['none', 'read', 'write', 'own'];

export interface Fixture {
  readonly key: number;
  /** What requests may name it by instead of its key. */
  readonly names?: Readonly<Record<string, string>>;
}

/** The people of the table. All of them have the password that the contract's examples use. */
export interface Cast {
  readonly member: Person;
  /** The owner of all that is not the member's. */
  readonly owner: Person;
  readonly admin: Person;
}

export interface World {
  readonly server: TestServer;
  readonly cast: Cast;
  /** The one record of this kind and standing, made when first asked for. Those of a standing belong together. */
  record(kind: RecordKind, standing: Standing): Promise<Fixture>;
}

export interface KindFixture {
  /** The right that a member has to a record of this kind that belongs to what is theirs by this standing. */
  readonly gives: (standing: Standing) => Standing;
  /** Whether an admin sees and changes it whosever it is. */
  readonly openToAdmin: boolean;
  readonly names: readonly string[];
  readonly make: (world: World, standing: Standing) => Promise<Fixture>;
}

const examples = operations.changePassword.body.properties.oldPassword as { examples?: string[] };
export const castPassword = examples.examples?.[0] ?? '';

export async function createCast(server: TestServer): Promise<Cast> {
  return {
    member: await addPerson(server),
    owner: await addPerson(server),
    admin: await addPerson(server, 'admin'),
  };
}

async function addPerson(server: TestServer, role: 'admin' | 'member' = 'member'): Promise<Person> {
  const email = `${randomUUID()}@example.org`;
  await server.admin.session.createUser({ body: { email, password: castPassword, role } });
  return createPeople(server.url).signIn(email, castPassword);
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
const fixture = ({ key }: { key?: number }, names?: Record<string, string>): Fixture => ({
  key: key ?? 0,
  ...(names ? { names } : {}),
});

async function makeDevice(world: World, standing: Standing): Promise<Fixture> {
  const holder = holderOf(world, standing);
  const names = { deviceSerial: `made-${randomUUID()}`, deviceName: `Device ${randomUUID()}` };
  const device = await holder.session.createDevice({ body: names });
  if (isLent(standing)) {
    const { key } = await world.record('collection', standing);
    const body = { itemType: 'device', itemID: device.key ?? 0 } as const;
    await holder.session.addCollectionItem({ params: { collectionItemID: key }, body });
  }
  // So that whoever polls is answered at once.
  await holder.session.createEvent({ body: { deviceID: device.key ?? 0, eventType: 'Start_recording' } });
  // Within the range of the examples, so that there is something to join and to export.
  const clip = await holder.session.createAudioClip({ body: { deviceID: device.key ?? 0, startTime: 1_794_704_400 } });
  await holder.session.putAudioClipContent({ params: { audioClipID: clip.key ?? 0 }, body: tinyWav() });
  // One operation names the device in the place of a clip.
  return fixture(device, { ...names, audioClipID: names.deviceSerial });
}

/** Taken, so that it can be reported on as well as cancelled. */
async function makeEvent(world: World, standing: Standing): Promise<Fixture> {
  const { key: deviceID, names } = await world.record('device', standing);
  const { session } = holderOf(world, standing);
  const event = await session.createEvent({ body: { deviceID, eventType: 'Reboot' } });
  await session.dequeueEvent({ body: { deviceSerial: names?.['deviceSerial'] ?? '', agentType: 'Device' } });
  return fixture(event);
}

async function makeEventPreset(world: World, standing: Standing): Promise<Fixture> {
  const { key: deviceID } = await world.record('device', standing);
  return fixture(
    await holderOf(world, standing).session.createEventPreset({ body: { deviceID, eventType: 'Reboot' } }),
  );
}

/** Lent through its `memberAccess`: with the member in it. */
async function makeCollection(world: World, standing: Standing): Promise<Fixture> {
  const { session } = holderOf(world, standing);
  const memberAccess = standing === 'write' ? 'write' : 'read';
  const collection = await session.createCollection({ body: { collectionName: 'Quay', memberAccess } });
  if (isLent(standing)) {
    const body = { itemType: 'user', itemID: world.cast.member.userID } as const;
    await session.addCollectionItem({ params: { collectionItemID: collection.key ?? 0 }, body });
  }
  return fixture(collection);
}

async function makeCollectionItem(world: World, standing: Standing): Promise<Fixture> {
  const [collection, device] = [await world.record('collection', standing), await world.record('device', standing)];
  const body = { itemType: 'device', itemID: device.key } as const;
  const { session } = holderOf(world, standing);
  return fixture(await session.addCollectionItem({ params: { collectionItemID: collection.key }, body }));
}

/** With its sound, so that it can be played; newer than the clips of devices, so that every list begins with it. */
async function makeAudioClip(world: World, standing: Standing): Promise<Fixture> {
  const { key: deviceID } = await world.record('device', standing);
  const { session } = holderOf(world, standing);
  const clip = await session.createAudioClip({ body: { deviceID, startTime: 2_000_000_000 } });
  await session.putAudioClipContent({ params: { audioClipID: clip.key ?? 0 }, body: tinyWav() });
  return fixture(clip);
}

/** Of a device, and available. */
async function makeFile(world: World, standing: Standing): Promise<Fixture> {
  const { names } = await world.record('device', standing);
  const { session } = holderOf(world, standing);
  const bytes = tinyWav();
  const body = { filename: 'dawn.wav', fileSize: bytes.length, sHA256Hash: sha256(bytes) };
  const file = await session.createFile({ body: { ...body, deviceSerial: names?.['deviceSerial'] ?? '' } });
  await fetch(file.signedURL ?? '', { method: 'PUT', body: bytes });
  return fixture(await session.finishFile({ params: { fileID: file.key ?? 0 } }));
}

async function makeAgent(world: World, standing: Standing): Promise<Fixture> {
  const { names } = await world.record('device', standing);
  const body = { deviceSerial: names?.['deviceSerial'] ?? '', agentType: 'Audio' };
  return fixture(await holderOf(world, standing).session.registerAgent({ body }));
}

async function makeAudioClipTag(world: World, standing: Standing): Promise<Fixture> {
  const { key: audioClipID } = await world.record('audioclip', standing);
  const body = { tagName: 'owl' };
  return fixture(await holderOf(world, standing).session.createAudioClipTag({ params: { audioClipID }, body }));
}

/** By hand, of a clip of its own. */
async function makeCaption(world: World, standing: Standing): Promise<Fixture> {
  const { key: deviceID } = await world.record('device', standing);
  const { session } = holderOf(world, standing);
  const { key = 0 } = await session.createAudioClip({ body: { deviceID, startTime: 1_999_999_000 } });
  await session.correctCaption({ params: { captionID: key }, body: { transcript: 'Good morning.' } });
  return { key };
}

async function makeSavedSearch(world: World, standing: Standing): Promise<Fixture> {
  const body = { searchName: 'Owls', search: { searchText: 'owl' } };
  return fixture(await holderOf(world, standing).session.createSavedSearch({ body }));
}

async function makeApiKey(world: World, standing: Standing): Promise<Fixture> {
  const device = await world.record('device', standing);
  return fixture(await holderOf(world, standing).session.createDeviceKey({ params: { deviceID: device.key } }));
}

/** Not the session the holder asks with, which the table still needs. */
async function makeSession(world: World, standing: Standing): Promise<Fixture> {
  const { session } = await createPeople(world.server.url).signIn(holderOf(world, standing).email, castPassword);
  return fixture(await session.getSession());
}

/** Somebody new who owns nothing, so that they may be removed, or the member themselves. */
async function makeUser({ server, cast }: World, standing: Standing): Promise<Fixture> {
  if (standing === 'own') return { key: cast.member.userID };
  const email = `${randomUUID()}@example.org`;
  return fixture(await server.admin.session.createUser({ body: { email, password: castPassword } }));
}

/** A provider for every kind of record: with it, every operation on such records is in the table. */
export const kinds: Readonly<Record<RecordKind, KindFixture>> = {
  agent: { gives: asItStands, openToAdmin: true, names: [], make: makeAgent },
  // Whoever may read or write a device does not manage the keys that others made for it.
  apikey: { gives: ownOnly, openToAdmin: true, names: [], make: makeApiKey },
  audioclip: { gives: asItStands, openToAdmin: true, names: [], make: makeAudioClip },
  audiocliptag: { gives: asItStands, openToAdmin: true, names: [], make: makeAudioClipTag },
  caption: { gives: asItStands, openToAdmin: true, names: [], make: makeCaption },
  collection: { gives: asItStands, openToAdmin: true, names: [], make: makeCollection },
  collectionitem: { gives: asItStands, openToAdmin: true, names: [], make: makeCollectionItem },
  device: {
    gives: asItStands,
    openToAdmin: true,
    names: ['deviceSerial', 'deviceName', 'audioClipID'],
    make: makeDevice,
  },
  event: { gives: asItStands, openToAdmin: true, names: [], make: makeEvent },
  eventpreset: { gives: asItStands, openToAdmin: true, names: [], make: makeEventPreset },
  file: { gives: asItStands, openToAdmin: true, names: [], make: makeFile },
  savedsearch: { gives: ownOnly, openToAdmin: false, names: [], make: makeSavedSearch },
  // Where somebody is signed in is theirs alone; an admin ends it by disabling them.
  session: { gives: ownOnly, openToAdmin: false, names: [], make: makeSession },
  // People see each other, so that they can share.
  user: { gives: (standing) => (standing === 'own' ? 'own' : 'read'), openToAdmin: true, names: [], make: makeUser },
};

export const actName = ({ by }: Act): string => by.slice(by.indexOf('.') + 1);
