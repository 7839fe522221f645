import { expect, test } from 'vitest';
import { openStream } from '../../live/tests/stream.ts';
import { createTeamScene, statusOf } from './scene.ts';

const minuteMs = 60_000;

test.each(['read', 'write'] as const)(
  'rights through a team are those of a member: a collection that members may %s',
  async (memberAccess) => {
    const { server, owner, collectionID, place, addTeam, shareWith, stopSharingWith, addPerson, takeOut, admin } =
      await createTeamScene(undefined, memberAccess);
    const [ada, ben] = [await server.addPerson(), await server.addPerson()];
    const [shared, other] = [await owner.addDevice(), await owner.addDevice()];
    await place(shared);
    const clip = await owner.say(shared, Date.now() - minuteMs, `zebra${shared}`);
    const rightsOf = async ({ session }: typeof ada) => {
      const rights = await session.listRights({
        body: { deviceIDs: [shared, other], collectionIDs: [collectionID] },
      });
      const words = await session.searchCaptions({ body: { searchText: `zebra${shared}` } });
      return {
        devices: rights.devices.map(({ deviceID, right }) => [deviceID, right]),
        collections: rights.collections.map(({ collectionID: key, right }) => [key, right]),
        listed: (await session.listDevices({ body: {} })).length,
        write: await statusOf(
          session.updateDevice({ params: { deviceID: shared }, body: { deviceDescription: 'seen to' } }),
        ),
        remove: await statusOf(session.deleteDevice({ params: { deviceID: shared } })),
        clip: await statusOf(session.getAudioClip({ params: { audioClipID: clip } })),
        found: words.results.length,
      };
    };
    const none = { devices: [], collections: [], listed: 0, write: 404, remove: 404, clip: 404, found: 0 };
    const all = {
      devices: [[shared, memberAccess]],
      collections: [[collectionID, memberAccess]],
      listed: 1,
      write: memberAccess === 'write' ? 200 : 403,
      remove: 403,
      clip: 200,
      found: 1,
    };
    // As a member.
    const body = { itemType: 'user' as const, itemID: ada.userID };
    const { key = 0 } = await owner.client.addCollectionItem({ params: { collectionItemID: collectionID }, body });
    expect(await rightsOf(ada)).toEqual(all);
    await owner.client.removeCollectionItem({ params: { collectionItemID: key } });
    expect(await rightsOf(ada)).toEqual(none);
    // The same through a team, from when it is a member and the person is in it.
    const teamID = await addTeam(ada);
    expect(await rightsOf(ada)).toEqual(none);
    await shareWith(teamID);
    expect(await rightsOf(ada)).toEqual(all);
    expect(await rightsOf(ben)).toEqual(none);
    await addPerson(teamID, ben);
    expect(await rightsOf(ben)).toEqual(all);
    await takeOut(teamID, ben);
    expect(await rightsOf(ben)).toEqual(none);
    await stopSharingWith(teamID);
    expect(await rightsOf(ada)).toEqual(none);
    await shareWith(teamID);
    expect(await rightsOf(ada)).toEqual(all);
    await admin.deleteTeam({ params: { teamID } });
    expect(await rightsOf(ada)).toEqual(none);
  },
);

test('what a team was lent is not passed on: an item of one of its people is a bookmark', async () => {
  const { server, owner, place, addTeam, shareWith } = await createTeamScene(undefined, 'write');
  const [ada, ben] = [await server.addPerson(), await server.addPerson()];
  const device = await owner.addDevice();
  await place(device);
  await shareWith(await addTeam(ada));
  const { key: mine = 0 } = await ada.session.createCollection({ body: { collectionName: 'Mine' } });
  for (const [itemType, itemID] of [
    ['device', device],
    ['user', ben.userID],
  ] as const)
    await ada.session.addCollectionItem({ params: { collectionItemID: mine }, body: { itemType, itemID } });
  expect(await statusOf(ada.session.getDevice({ params: { deviceID: device } }))).toBe(200);
  expect(await statusOf(ben.session.getDevice({ params: { deviceID: device } }))).toBe(404);
});

test('the live stream tells the people of a team what they got and lost, and sends changes only meanwhile', async () => {
  const { server, owner, collectionID, place, addTeam, shareWith, stopSharingWith, addPerson, takeOut, admin } =
    await createTeamScene();
  const [ada, ben] = [await server.addPerson(), await server.addPerson()];
  const device = await owner.addDevice();
  await place(device);
  const teamID = await addTeam(ada);
  const stream = await openStream(server.url, ada);
  const other = await openStream(server.url, ben);
  const heardBy = async (listener: typeof stream, person: typeof ada) => {
    const mark = () => person.session.createDevice({ body: { deviceSerial: `mark-${person.userID}-${marks++}` } });
    return (await listener.heard(mark)).map(({ event, key, change }) => `${event} ${key} ${change}`);
  };
  await heardBy(stream, ada);
  await heardBy(other, ben);
  const rename = (deviceName: string) =>
    owner.client.updateDevice({ params: { deviceID: device }, body: { deviceName } });
  const [changed, removed, renamed] = [
    `collection ${collectionID} changed`,
    `collection ${collectionID} removed`,
    `device ${device} changed`,
  ];

  await rename('A');
  expect(await heardBy(stream, ada)).toEqual([]);
  await shareWith(teamID);
  await rename('B');
  expect(await heardBy(stream, ada)).toEqual([changed, renamed]);
  await addPerson(teamID, ben);
  await rename('C');
  expect(await heardBy(other, ben)).toEqual([changed, renamed]);
  await takeOut(teamID, ben);
  await rename('D');
  expect(await heardBy(other, ben)).toEqual([removed]);
  await stopSharingWith(teamID);
  await rename('E');
  expect((await heardBy(stream, ada)).at(-1)).toBe(removed);
  await shareWith(teamID);
  await heardBy(stream, ada);
  await admin.deleteTeam({ params: { teamID } });
  await rename('F');
  expect(await heardBy(stream, ada)).toEqual([removed]);
  stream.close();
  other.close();
});

let marks = 0;

test('when a collection is deleted, the people of its teams are told', async () => {
  const { server, owner, collectionID, addTeam, shareWith } = await createTeamScene();
  const ada = await server.addPerson();
  await shareWith(await addTeam(ada));
  const stream = await openStream(server.url, ada);
  await owner.client.deleteCollection({ params: { collectionID } });
  await stream.until(
    ({ event, key, change }) => event === 'collection' && key === collectionID && change === 'removed',
  );
  stream.close();
});

test('a long poll that waits gets no work after its person has left the team', async () => {
  const { server, owner, place, addTeam, shareWith, takeOut } = await createTeamScene(undefined, 'write');
  const ada = await server.addPerson();
  const device = await owner.addDevice();
  await place(device);
  const teamID = await addTeam(ada);
  await shareWith(teamID);
  const { deviceSerial = '' } = await owner.client.getDevice({ params: { deviceID: device } });
  const { client } = await ada.withKey();
  const [first, second] = [
    client.longPollEvents({ body: { deviceSerial } }),
    client.longPollEvents({ body: { deviceSerial } }),
  ];
  await client.listPendingEvents({ body: { deviceSerial } });
  await owner.client.createEvent({ body: { deviceID: device, eventType: 'Reboot' } });
  expect(await first).toHaveLength(1);
  expect(await second).toHaveLength(1);
  await owner.client.clearPendingEvents({ params: { deviceID: device } });
  const ending = new AbortController();
  let answer: unknown[] = [];
  const waiting = (async () => {
    answer = await client.longPollEvents({ body: { deviceSerial } }, { signal: ending.signal });
  })().catch(() => {});
  await client.getDevice({ params: { deviceID: device } });
  await takeOut(teamID, ada);
  // Woken by the same event, and after the other one.
  const answered = owner.client.longPollEvents({ body: { deviceSerial } });
  await owner.client.getDevice({ params: { deviceID: device } });
  await owner.client.createEvent({ body: { deviceID: device, eventType: 'Reboot' } });
  expect(await answered).toHaveLength(1);
  await owner.client.listPendingEvents({ body: { deviceSerial } });
  expect(answer).toEqual([]);
  ending.abort();
  await waiting;
});
