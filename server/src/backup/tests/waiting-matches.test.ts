import { expect, onTestFinished, test, vi } from 'vitest';
import { startNode } from '../../node.ts';
import { silentLog } from '../../testing/log.ts';
import { createPeople } from '../../testing/person.ts';
import { adminEmail, adminPassword, baseConfig, startTestServer, testNodeOptions } from '../../testing/server.ts';
import { backUp, emptyInstallation, makeFolder, openExisting, openNew, restore } from './installations.ts';

/** Under which one node judges at a time. */
const engineLock = 0x72_75_6c_65;

test('what waited to be judged by rules when the backup was made is listed after a restore, and nobody is told', async () => {
  const secretKey = Buffer.alloc(32, 9);
  const server = await startTestServer({ secretKey });
  onTestFinished(() => server.stop());
  const { session } = server.admin;
  const { key: deviceID = 0 } = await session.createDevice({ body: { deviceSerial: 'waiting' } });
  const actions = [{ action: 'notify' as const }];
  const { key: ruleID = 0 } = await session.createRule({ body: { ruleName: 'x', when: { words: 'fire' }, actions } });
  const say = async (people: typeof session, startTime: number) => {
    const body = { deviceID, startTime, clipLengthInSeconds: 1 };
    const { key: captionID = 0 } = await people.createAudioClip({ body });
    await people.correctCaption({ params: { captionID }, body: { transcript: 'fire' } });
  };
  const now = Math.floor(Date.now() / 1_000);
  const folder = await makeFolder();
  await server.db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${engineLock}::int, 0)`;
    await say(session, now - 3_000);
    await say(session, now - 120);
    await backUp(baseConfig(server.dataDir, server.databaseUrl, secretKey), await openNew(folder));
  });
  const restored = await emptyInstallation();
  await restore(restored, await openExisting(folder));
  const node = await startNode({
    ...testNodeOptions({ ...restored, admin: undefined }, silentLog),
    passwordCost: { memoryCost: 64, timeCost: 1, parallelism: 1 },
  });
  onTestFinished(() => node.stop());
  const { session: after } = await createPeople(node.url).signIn(adminEmail, adminPassword);
  const alerts = async () => (await after.listRuleAlerts({ body: { ruleID } })).results;
  await vi.waitUntil(async () => (await alerts()).length > 1);
  const restoredOne = { silence: 'restored', state: 'open', matchCount: 1 };
  expect(await alerts()).toMatchObject([restoredOne, restoredOne]);
  expect(await after.readBell()).toEqual({ unreadCount: 0, results: [] });
  // What comes later is told, also if it belongs to such an alert.
  await say(after, now - 60);
  await vi.waitUntil(async () => (await after.readBell()).unreadCount === 1);
  expect((await alerts()).map(({ silence, matchCount }) => [silence, matchCount])).toEqual([
    [undefined, 2],
    ['restored', 1],
  ]);
});
