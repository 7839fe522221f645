import { expect, test } from 'vitest';
import { createTeamScene, statusOf } from '../../../team/tests/scene.ts';

test('what a person can reach, and why', async () => {
  const { server, owner, collectionID, place, addTeam, shareWith } = await createTeamScene();
  const ada = await server.addPerson();
  const [shared, unshared] = [await owner.addDevice(), await owner.addDevice()];
  await place(shared);
  const teamID = await addTeam(ada);
  await shareWith(teamID);
  const { key: own = 0 } = await ada.session.createDevice({ body: { deviceSerial: `own-${ada.userID}` } });
  const { key: mine = 0 } = await ada.session.createCollection({ body: { collectionName: 'Attic' } });
  // What was lent is a bookmark in another collection, and no reason.
  for (const itemID of [shared, own])
    await ada.session.addCollectionItem({ params: { collectionItemID: mine }, body: { itemType: 'device', itemID } });
  const params = { userID: ada.userID };
  const reach = await server.admin.session.getReach({ params });
  expect(reach).toEqual({
    isAdmin: false,
    collections: [
      { collectionID: mine, collectionName: 'Attic', right: 'own', isOwner: true, isMember: false, teams: [] },
      {
        collectionID,
        collectionName: 'Harbour',
        right: 'read',
        isOwner: false,
        isMember: false,
        teams: [{ teamID, teamName: 'North team' }],
      },
    ],
    devices: [
      expect.objectContaining({ deviceID: shared, right: 'read', isOwner: false, collectionIDs: [collectionID] }),
      expect.objectContaining({ deviceID: own, right: 'own', isOwner: true, collectionIDs: [mine] }),
    ],
  });
  expect(await ada.session.getReach({ params })).toEqual(reach);
  expect(await statusOf(owner.person.session.getReach({ params }))).toBe(403);
  // As a person too.
  const body = { itemType: 'user' as const, itemID: ada.userID };
  await owner.client.addCollectionItem({ params: { collectionItemID: collectionID }, body });
  expect((await ada.session.getReach({ params })).collections[1]).toMatchObject({
    isMember: true,
    teams: [{ teamID }],
  });
  expect(reach.devices.map(({ deviceID }) => deviceID)).not.toContain(unshared);
});

test('devices come page by page; an admin reaches all of them', async () => {
  const { server, owner, collectionID, place, addTeam, shareWith } = await createTeamScene();
  const ada = await server.addPerson();
  const devices = [await owner.addDevice(), await owner.addDevice(), await owner.addDevice()];
  for (const device of devices) await place(device);
  await shareWith(await addTeam(ada));
  const page = (afterDeviceID: number) =>
    ada.session.getReach({ params: { userID: ada.userID }, query: { count: 2, afterDeviceID } });
  const first = await page(0);
  expect([first.devices.length, first.nextDeviceID]).toEqual([2, devices[1]]);
  const second = await page(first.nextDeviceID ?? 0);
  expect([second.devices.map(({ deviceID }) => deviceID), second.nextDeviceID]).toEqual([[devices[2]], undefined]);

  const { userID } = server.admin;
  const after = { afterDeviceID: (devices[0] ?? 0) - 1, count: 3 };
  const all = await server.admin.session.getReach({ params: { userID }, query: after });
  expect(all).toMatchObject({ isAdmin: true, devices: [{ right: 'own', isOwner: false, collectionIDs: [] }, {}, {}] });
  expect(all.collections.find((one) => one.collectionID === collectionID)).toMatchObject({
    right: 'own',
    isMember: false,
  });
});
