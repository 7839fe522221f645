import { randomUUID } from 'node:crypto';
import { ApiError } from '@earshot/client/api-error';
import type { CollectionItem, ItemType } from '@earshot/contract/collection-item';
import type { Device } from '@earshot/contract/device';
import type { Person } from '@earshot/server/testing/person';
import type { SharedServer } from '@earshot/server/testing/server';

/** 200 for a successful call, else the status of the error. */
export async function statusOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
    return 200;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}

export type KeyedDevice = Device & { key: number };

export async function addDevice(owner: Person): Promise<KeyedDevice> {
  const device = await owner.session.createDevice({ body: { deviceSerial: `d-${randomUUID()}` } });
  return { ...device, key: device.key ?? 0 };
}

export async function place(
  by: Person,
  collectionID: number,
  itemType: ItemType,
  itemID: number,
): Promise<CollectionItem> {
  return by.session.addCollectionItem({ params: { collectionItemID: collectionID }, body: { itemType, itemID } });
}

interface CollectionParts {
  readonly access?: 'read' | 'write';
  readonly members?: readonly Person[];
  /** Placed by the owner of the collection. */
  readonly devices?: readonly KeyedDevice[];
}

export async function addCollection(owner: Person, parts: CollectionParts = {}): Promise<number> {
  const { access = 'read', members = [], devices = [] } = parts;
  const { key = 0 } = await owner.session.createCollection({
    body: { collectionName: 'Harbour', memberAccess: access },
  });
  for (const { userID } of members) await place(owner, key, 'user', userID);
  for (const device of devices) await place(owner, key, 'device', device.key);
  return key;
}

export const read = (person: Person, { key }: KeyedDevice): Promise<number> =>
  statusOf(person.session.getDevice({ params: { deviceID: key } }));

export const write = (person: Person, { key }: KeyedDevice): Promise<number> =>
  statusOf(person.session.updateDevice({ params: { deviceID: key }, body: { deviceDescription: 'seen to' } }));

export const give = (person: Person, { key }: KeyedDevice, to: Person): Promise<number> =>
  statusOf(person.session.updateDevice({ params: { deviceID: key }, body: { userID: to.userID } }));

export const remove = (person: Person, { key }: KeyedDevice): Promise<number> =>
  statusOf(person.session.deleteDevice({ params: { deviceID: key } }));

export const takeOut = (person: Person, { key = 0 }: CollectionItem): Promise<number> =>
  statusOf(person.session.removeCollectionItem({ params: { collectionItemID: key } }));

/** The items of the collection that the person can see, as `itemTypeID:itemID`. */
export async function shownIn(person: Person, collectionID: number): Promise<readonly string[]> {
  const items = await person.session.listItemsOfCollection({ params: { collectionID } });
  return items
    .map(({ itemTypeID = 0, itemID = 0 }) => ({ itemTypeID, itemID }))
    .toSorted((a, b) => a.itemTypeID - b.itemTypeID || a.itemID - b.itemID)
    .map(({ itemTypeID, itemID }) => `${itemTypeID}:${itemID}`);
}

export const deviceItem = ({ key }: { key: number }): string => `1:${key}`;
export const userItem = ({ userID }: Person): string => `2:${userID}`;

/** The record of a file without bytes, which no test reads. */
export async function addFile(server: SharedServer, owner: Person): Promise<number> {
  const [row] = await server.db<{ key: number }[]>`
    insert into files (user_id, filename, file_size, content_type, file_status)
    values (${owner.userID}, 'dawn.wav', 12, 'audio/wav', 1) returning key`;
  return row?.key ?? 0;
}
