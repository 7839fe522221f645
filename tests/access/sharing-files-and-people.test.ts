import type { Person } from '@earshot/server/testing/person';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { addCollection, addDevice, addFile, place, shownIn, statusOf, takeOut, userItem } from './places.ts';

let server: SharedServer;
let ada: Person;
let ben: Person;
let cleo: Person;
beforeAll(async () => {
  server = await sharedTestServer();
  [ada, ben, cleo] = [await server.addPerson(), await server.addPerson(), await server.addPerson()];
});

const fileItem = (fileID: number): string => `3:${fileID}`;

describe('files in collections', () => {
  test('are shared with the members if their owner or an admin places them', async () => {
    const [hers, other] = [await addFile(server, ada), await addFile(server, ada)];
    const collectionID = await addCollection(ada, { members: [ben] });
    const item = await place(ada, collectionID, 'file', hers);
    expect(item).toMatchObject({ itemTypeID: 3, itemID: hers, collectionID, userID: ada.userID });
    await place(server.admin, collectionID, 'file', other);
    expect(await shownIn(ben, collectionID)).toEqual([userItem(ben), fileItem(hers), fileItem(other)]);
  });

  test('cannot be placed by people without access', async () => {
    const fileID = await addFile(server, ada);
    expect(await statusOf(place(ben, await addCollection(ben), 'file', fileID))).toBe(404);
  });

  test('are bookmarks without access if a reader places them', async () => {
    const fileID = await addFile(server, ada);
    const lent = await addCollection(ada, { members: [ben] });
    const loan = await place(ada, lent, 'file', fileID);
    const passedOn = await addCollection(ben, { access: 'write', members: [ada, cleo] });
    const bookmark = await place(ben, passedOn, 'file', fileID);
    expect(await shownIn(ben, passedOn)).toContain(fileItem(fileID));
    expect(await shownIn(cleo, passedOn)).not.toContain(fileItem(fileID));
    expect(await statusOf(place(cleo, await addCollection(cleo), 'file', fileID))).toBe(404);

    expect(await place(ada, passedOn, 'file', fileID)).toMatchObject({ key: bookmark.key, userID: ada.userID });
    expect(await shownIn(cleo, passedOn)).toContain(fileItem(fileID));
    expect([await takeOut(ada, bookmark), await takeOut(ada, loan)]).toEqual([200, 200]);
    expect(await shownIn(ben, passedOn)).not.toContain(fileItem(fileID));
  });
});

describe('the list of collection items', () => {
  test('contains exactly the items of collections that the caller may read', async () => {
    const device = await addDevice(ada);
    const [shared, kept] = [await addCollection(ada, { members: [ben] }), await addCollection(ada)];
    const items = [
      await place(ada, shared, 'device', device.key),
      await place(ada, shared, 'user', ben.userID),
      await place(ada, shared, 'file', await addFile(server, ada)),
    ].map(({ key }) => key);
    const hidden = await place(ada, kept, 'device', device.key);
    const listed = async (person: Person) => (await person.session.listCollectionItems()).map(({ key }) => key);

    expect(await listed(ben)).toEqual(expect.arrayContaining(items));
    expect(await listed(ben)).not.toContain(hidden.key);
    expect(await listed(ada)).toEqual(expect.arrayContaining([...items, hidden.key]));
    expect(await listed(cleo)).toEqual(expect.not.arrayContaining(items));
    expect(await listed(server.admin)).toEqual(expect.arrayContaining([...items, hidden.key]));
  });
});

describe('people of one installation', () => {
  const everything = ['creationDate', 'disabled', 'displayName', 'email', 'key', 'lastSignInDate', 'role'];
  const fieldsSeen = async (by: Person, of: Person) => {
    const listed = (await by.session.listUsers()).find(({ key }) => key === of.userID) ?? {};
    const read = await by.session.getUser({ params: { userID: of.userID } });
    expect(listed).toEqual(read);
    return Object.keys(read).toSorted();
  };

  test("see each other's key, display name and email, and nothing more", async () => {
    await ada.session.updateUser({ params: { userID: ada.userID }, body: { displayName: 'Ada' } });
    expect(await fieldsSeen(ben, ada)).toEqual(['displayName', 'email', 'key']);
    expect(await fieldsSeen(ada, ada)).toEqual(everything);
    expect(await fieldsSeen(server.admin, ada)).toEqual(everything);
    expect(await ben.session.getUser({ params: { userID: ada.userID } })).toEqual({
      key: ada.userID,
      displayName: 'Ada',
      email: ada.email,
    });
  });

  test('can rename themselves; only an admin changes the rest', async () => {
    const update = (person: Person, body: { role?: 'admin' | 'member'; disabled?: boolean; displayName?: string }) =>
      statusOf(person.session.updateUser({ params: { userID: ada.userID }, body }));
    expect(await update(ben, { displayName: 'Bad' })).toBe(403);
    expect([await update(ada, { role: 'admin' }), await update(ada, { disabled: true })]).toEqual([403, 403]);
    expect(await ada.session.getSession()).toMatchObject({ displayName: 'Ada', role: 'member' });
    // A complete record that is sent back changes only the permitted fields.
    expect(await update(ada, { role: 'member', disabled: false, displayName: 'Ada L.' })).toBe(200);
    expect(await ada.session.getSession()).toMatchObject({ displayName: 'Ada L.', role: 'member' });
  });
});
