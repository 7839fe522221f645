import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { makeDataFolder } from '@earshot/server/testing/made-data';
import { needs } from '@earshot/server/testing/needs';
import { expect, test } from 'vitest';
import { adminSettings, signInAdmin } from './admin.ts';
import { repository, startServer, stopServer } from './server-process.ts';

const run = promisify(execFile);

test('every command of the guide to teams works, in its order', needs('curl'), async () => {
  const guide = await readFile(join(repository, 'docs/guides/teams.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  expect(blocks.join('').match(/curl /g)?.length).toBeGreaterThan(12);

  const folder = await openScratch();
  const dataDir = await makeDataFolder(join(folder, 'data'));
  const server = await startServer({ dataDir, settings: adminSettings });
  const { session } = await signInAdmin(server.url);
  const { key: deviceID = 0 } = await session.createDevice({ body: { deviceSerial: 'recorder-17' } });
  const { key: collectionID = 0 } = await session.createCollection({ body: { collectionName: 'Harbour' } });
  const item = { itemType: 'device' as const, itemID: deviceID };
  await session.addCollectionItem({ params: { collectionItemID: collectionID }, body: item });
  for (const name of ['ada', 'ben'])
    await session.createUser({ body: { email: `${name}@example.org`, password: 'a password for a guide' } });
  const script = blocks.join('\n').replaceAll('curl -sS', 'curl -sS --fail-with-body --max-time 100 -w "\\n"');
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...adminSettings, HOME: folder, PATH: process.env['PATH'], URL: server.url },
  }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`the guide stopped:\n${error.stdout}\n${error.stderr}`);
  });
  const people = await session.listUsers();
  const [ada, ben] = ['ada', 'ben'].map((name) => people.find(({ email }) => email === `${name}@example.org`)?.key);
  const teams = await session.listTeams();
  await stopServer(server);
  // What the guide says of the answers.
  const answers = stdout.split('\n').filter((line) => line.startsWith('{') || line.startsWith('['));
  const [team, changed, duty, shared, reach, rule] = answers.map((line) => JSON.parse(line) as never);
  expect(team).toMatchObject({ teamName: 'North team', userIDs: [ada, ben], rota: [] });
  expect(changed).toMatchObject({ rota: [{ userID: ada }, { userID: ben }] });
  expect(duty).toMatchObject({ userIDs: [ben], nextUserIDs: [ben] });
  expect(shared).toMatchObject([{ teamName: 'North team' }]);
  expect(reach).toMatchObject({
    collections: [{ collectionID, isMember: false, teams: [{ teamName: 'North team' }] }],
    devices: [{ deviceID, right: 'read', collectionIDs: [collectionID] }],
  });
  expect(rule).toMatchObject({ actions: [{ action: 'notify' }] });
  expect(teams).toEqual([]);
});
