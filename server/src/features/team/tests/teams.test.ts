import { expect, test } from 'vitest';
import { createTeamScene, statusOf } from './scene.ts';

test('an admin makes, changes and deletes a team; nobody else does', async () => {
  const { server, admin } = await createTeamScene();
  const [ada, ben] = [await server.addPerson(), await server.addPerson()];
  const duty = { userID: ada.userID, days: [5, 1, 1], from: '08:00', to: '18:00' };
  const body = { teamName: 'North', timeZone: 'Europe/Zurich', userIDs: [ada.userID], rota: [duty] };
  const team = await admin.createTeam({ body });
  const rota = [{ ...duty, days: [1, 5] }];
  expect(team).toMatchObject({ ...body, rota, createdBy: server.admin.userID });
  const params = { teamID: team.key ?? 0 };
  expect(await admin.getTeam({ params })).toEqual(team);
  const refused = [
    ada.session.createTeam({ body: { teamName: 'Mine' } }),
    ada.session.updateTeam({ params, body: { teamName: 'Mine' } }),
    ada.session.addTeamPerson({ params: { ...params, userID: ben.userID } }),
    ada.session.removeTeamPerson({ params: { ...params, userID: ada.userID } }),
    ada.session.deleteTeam({ params }),
  ].map(statusOf);
  expect(await Promise.all(refused)).toEqual([403, 403, 403, 403, 403]);

  await admin.addTeamPerson({ params: { ...params, userID: ben.userID } });
  const changed = await admin.updateTeam({
    params,
    body: { teamName: 'South', timeZone: null, rota: [{ userID: ben.userID, from: '00:00', to: '00:00' }] },
  });
  expect(changed).toMatchObject({ teamName: 'South', userIDs: [ada.userID, ben.userID] });
  expect(changed).not.toHaveProperty('timeZone');
  expect(changed.rota).toEqual([{ userID: ben.userID, days: [], from: '00:00', to: '00:00' }]);
  // Who leaves the team leaves its rota.
  await admin.removeTeamPerson({ params: { ...params, userID: ben.userID } });
  expect(await admin.getTeam({ params })).toMatchObject({ userIDs: [ada.userID], rota: [] });
  await admin.deleteTeam({ params });
  expect(await statusOf(admin.getTeam({ params }))).toBe(404);
  const trail = await server.db<{ action: string; person_id: number | null }[]>`
    select action, person_id from audit_entries where record_key = ${params.teamID} and action like 'team-%' order by key`;
  expect(trail.map((entry) => [entry.action, entry.person_id])).toEqual([
    ['team-created', null],
    ['team-joined', ada.userID],
    ['team-joined', ben.userID],
    ['team-changed', null],
    ['team-left', ben.userID],
    ['team-removed', null],
  ]);
});

test('what is wrong with a team is said, with its place', async () => {
  const { server, admin } = await createTeamScene();
  const ada = await server.addPerson();
  const duty = { from: '08:00', to: '18:00' };
  const errorsOf = (body: Parameters<typeof admin.createTeam>[0]['body']) =>
    admin.createTeam({ body }).then(
      () => [],
      ({ problem }: { problem: { errors?: { path: string }[] } }) => (problem.errors ?? []).map(({ path }) => path),
    );
  expect(await errorsOf({ teamName: '' })).toEqual(['teamName']);
  expect(await errorsOf({ teamName: 'N', timeZone: 'Mars' })).toEqual(['timeZone']);
  expect(await errorsOf({ teamName: 'N', userIDs: [ada.userID, 999_999_999] })).toEqual(['userIDs[1]']);
  expect(await errorsOf({ teamName: 'N', rota: [{ userID: ada.userID, ...duty }] })).toEqual(['rota[0].userID']);
  const rota = [{ userID: ada.userID, ...duty, from: '24:00' }];
  expect(await errorsOf({ teamName: 'N', userIDs: [ada.userID], rota })).toEqual(['rota[0].from']);
});

test('a team is seen by admins, its people, and those who may read a collection of it; its name by everybody', async () => {
  const { server, admin, owner, collectionID, addTeam, shareWith, stopSharingWith } = await createTeamScene();
  const [ada, ben, stranger] = [await server.addPerson(), await server.addPerson(), await server.addPerson()];
  const teamID = await addTeam(ada);
  const params = { teamID };
  const sees = async ({ session }: typeof ada) => [
    await statusOf(session.getTeam({ params })),
    (await session.listTeams()).some(({ key }) => key === teamID),
    await statusOf(session.getTeamDuty({ params })),
  ];
  expect(await sees(server.admin)).toEqual([200, true, 200]);
  expect(await sees(ada)).toEqual([200, true, 200]);
  expect(await sees(ben)).toEqual([404, false, 404]);
  expect(await sees(owner.person)).toEqual([404, false, 404]);
  expect(await stranger.session.listTeamNames()).toContainEqual({ key: teamID, teamName: 'North team' });

  await shareWith(teamID);
  const body = { itemType: 'user' as const, itemID: ben.userID };
  await owner.client.addCollectionItem({ params: { collectionItemID: collectionID }, body });
  expect(await sees(owner.person)).toEqual([200, true, 200]);
  expect(await sees(ben)).toEqual([200, true, 200]);
  expect(await sees(stranger)).toEqual([404, false, 404]);
  const of = (person: typeof ada) => person.session.listCollectionTeams({ params: { collectionID } });
  expect(await of(ben)).toEqual([await admin.getTeam({ params })]);
  expect(await statusOf(of(stranger))).toBe(404);
  await stopSharingWith(teamID);
  expect(await sees(ben)).toEqual([404, false, 404]);
  expect(await of(ben)).toEqual([]);
});

test('a collection is shared with a team by those who may add people to it, once', async () => {
  const { server, owner, collectionID, addTeam, stopSharingWith } = await createTeamScene(undefined, 'write');
  const [ada, reader] = [await server.addPerson(), await server.addPerson()];
  const teamID = await addTeam(ada);
  const params = { collectionID, teamID };
  expect(await statusOf(ada.session.addCollectionTeam({ params }))).toBe(404);
  await owner.client.addCollectionTeam({ params });
  await owner.client.addCollectionTeam({ params });
  // Its people may write the collection, so they may share it further, as members may.
  const other = await addTeam(reader);
  await ada.session.addCollectionTeam({ params: { collectionID, teamID: other } });
  expect(await reader.session.listCollectionTeams({ params: { collectionID } })).toHaveLength(2);
  await owner.client.updateCollection({ params: { collectionID }, body: { memberAccess: 'read' } });
  expect(await statusOf(ada.session.removeCollectionTeam({ params: { collectionID, teamID: other } }))).toBe(403);
  expect(await statusOf(owner.client.addCollectionTeam({ params: { collectionID, teamID: 999_999_999 } }))).toBe(404);
  await stopSharingWith(teamID);
  await stopSharingWith(teamID);
  const trail = await server.db<{ action: string; user_id: number }[]>`
    select action, user_id from audit_entries
    where (record_key = ${teamID} and action in ('team-shared', 'team-unshared'))
      or (record_key = ${collectionID} and action in ('item-shared', 'item-unshared')) order by key`;
  expect(trail.map((entry) => [entry.action, entry.user_id])).toEqual([
    ['item-shared', owner.person.userID],
    ['team-shared', owner.person.userID],
    ['item-shared', ada.userID],
    ['item-unshared', owner.person.userID],
    ['team-unshared', owner.person.userID],
  ]);
});

test('who is on duty at a time, and who is next', async () => {
  const { server, admin, addTeam } = await createTeamScene();
  const [ada, ben] = [await server.addPerson(), await server.addPerson()];
  const params = { teamID: await addTeam(ada, ben) };
  const at = '2026-06-05T10:00:00.000Z';
  expect(await ada.session.getTeamDuty({ params, query: { at } })).toEqual({
    dutyDate: at,
    userIDs: [],
    nextUserIDs: [],
  });
  const rota = [
    { userID: ada.userID, from: '08:00', to: '18:00' },
    { userID: ben.userID, from: '18:00', to: '08:00' },
  ];
  await admin.updateTeam({ params, body: { rota, timeZone: 'Europe/Zurich' } });
  expect(await ada.session.getTeamDuty({ params, query: { at: '2026-06-05T12:00:00+02:00' } })).toEqual({
    dutyDate: at,
    userIDs: [ada.userID],
    nextDate: '2026-06-05T16:00:00.000Z',
    nextUserIDs: [ben.userID],
  });
  expect((await ada.session.getTeamDuty({ params })).userIDs).toHaveLength(1);
});
