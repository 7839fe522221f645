import type { Person } from '../../../testing/person.ts';
import type { SharedServer } from '../../../testing/server.ts';
import { sharedTestServer } from '../../../testing/shared-server.ts';
import { createScene } from '../../rule/tests/said.ts';

/** An owner with a collection, and what teams do with it. */
export async function createTeamScene(own?: SharedServer, memberAccess: 'read' | 'write' = 'read') {
  const server = own ?? (await sharedTestServer());
  const { session: admin } = server.admin;
  const owner = await createScene(server);
  const { key: collectionID = 0 } = await owner.client.createCollection({
    body: { collectionName: 'Harbour', memberAccess },
  });
  const place = async (deviceID: number): Promise<void> => {
    const body = { itemType: 'device' as const, itemID: deviceID };
    await owner.client.addCollectionItem({ params: { collectionItemID: collectionID }, body });
  };
  const addTeam = async (...people: Person[]): Promise<number> => {
    const userIDs = people.map(({ userID }) => userID);
    return (await admin.createTeam({ body: { teamName: 'North team', userIDs } })).key ?? 0;
  };
  const shareWith = (teamID: number) => owner.client.addCollectionTeam({ params: { collectionID, teamID } });
  const stopSharingWith = (teamID: number) => owner.client.removeCollectionTeam({ params: { collectionID, teamID } });
  const addPerson = (teamID: number, { userID }: Person) => admin.addTeamPerson({ params: { teamID, userID } });
  const takeOut = (teamID: number, { userID }: Person) => admin.removeTeamPerson({ params: { teamID, userID } });
  return { server, admin, owner, collectionID, place, addTeam, shareWith, stopSharingWith, addPerson, takeOut };
}

/** 200 for a successful call, else the status of the error. */
export const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    ({ status }: { status: number }) => status,
  );
