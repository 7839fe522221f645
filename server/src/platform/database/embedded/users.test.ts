import { chmod, chown, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { needs } from '../../../testing/needs.ts';
import { expect, test, vi } from 'vitest';

import { mayRunPostgres } from './testing/permitted.ts';
import { connectTo, countProcesses, launchApart, openScratch, readPostmasterPid, startIn } from './testing/scratch.ts';

const ordinary = { uid: 12345, gid: 12345 };

const testAsRoot = (name: string, body: () => Promise<void>): void => test(name, needs('root'), body);

async function readOwners(dataDir: string): Promise<{ process: number; cluster: number }> {
  const pid = await readPostmasterPid(dataDir);
  const cluster = await stat(join(dataDir, 'postgres', 'cluster'));
  return { process: (await stat(`/proc/${pid}`)).uid, cluster: cluster.uid };
}

async function makeFolder(path: string, { uid, gid }: { uid: number; gid: number }): Promise<string> {
  await mkdir(path, { mode: 0o700 });
  await chown(path, uid, gid);
  return path;
}

testAsRoot('root: in a folder that anybody may enter, PostgreSQL always runs as nobody', async () => {
  const parent = await openScratch();
  const dataDir = join(parent, 'data');
  const first = await startIn(dataDir);
  expect(await readOwners(dataDir)).toEqual({ process: 65534, cluster: 65534 });
  await first.stop();
  await startIn(dataDir);
  expect(await readOwners(dataDir)).toEqual({ process: 65534, cluster: 65534 });
});

test(
  'root: in a folder that only root may enter, it runs in a namespace, even after the folder is opened',
  needs('root', 'namespaces'),
  async () => {
    const parent = await openScratch();
    await chmod(parent, 0o700);
    const dataDir = join(parent, 'data');
    const first = await startIn(dataDir);
    expect(await connectTo(first.connection)`select 1 as answer`).toEqual([{ answer: 1 }]);
    expect(await readOwners(dataDir)).toEqual({ process: 0, cluster: 0 });
    await first.stop();

    await chmod(parent, 0o755);
    const second = await startIn(dataDir);
    expect(await connectTo(second.connection)`select 1 as answer`).toEqual([{ answer: 1 }]);
    expect(await readOwners(dataDir)).toEqual({ process: 0, cluster: 0 });
  },
);

/** The folder of another user: closed to `nobody`, and to root in a user namespace. */
async function makeClosedDataDir(): Promise<string> {
  return join(await makeFolder(join(await openScratch(), 'closed'), ordinary), 'data');
}

/** The capabilities of a process in use, as the kernel prints them. */
async function readCapabilities(pid: number): Promise<string | undefined> {
  return /^CapEff:\s*0*(\w+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
}

const mayReadAll = '4';
const mayReadAndWriteAll = '2';

testAsRoot('root: in a closed folder without a namespace, it runs as nobody who may pass through', async () => {
  const dataDir = await makeClosedDataDir();
  const first = await startIn(dataDir);
  expect(await connectTo(first.connection)`select 1 as answer`).toEqual([{ answer: 1 }]);
  expect(await readOwners(dataDir)).toEqual({ process: 65534, cluster: 65534 });
  expect(await readCapabilities(await readPostmasterPid(dataDir))).toBe(mayReadAll);
  await first.stop();

  const second = await startIn(dataDir);
  expect(await connectTo(second.connection)`select 1 as answer`).toEqual([{ answer: 1 }]);
  await second.stop();

  await chmod(join(dataDir, '..'), 0o755);
  await startIn(dataDir);
  expect(await readOwners(dataDir)).toEqual({ process: 65534, cluster: 65534 });
  // The programs may be in a closed folder, too.
  const needed = (await mayRunPostgres({ uid: 65_534, gid: 65_534 })) ? '0' : mayReadAll;
  expect(await readCapabilities(await readPostmasterPid(dataDir))).toBe(needed);
});

testAsRoot('root in a container that withholds the smaller capability: the larger one is used', async () => {
  const dataDir = await makeClosedDataDir();
  const server = launchApart(dataDir, { withhold: ['dac_read_search', 'sys_admin'] });
  expect(await server.report).toHaveProperty('host');
  expect(await readCapabilities(await readPostmasterPid(dataDir))).toBe(mayReadAndWriteAll);
  server.child.kill('SIGTERM');
  await vi.waitUntil(() => server.child.exitCode !== null);
});

testAsRoot('root: if nothing is possible, the start fails with one line', async () => {
  const { error } = await launchApart(await makeClosedDataDir(), { withhold: ['setpcap'] }).report;
  expect(error).toMatch(
    /^the embedded PostgreSQL cannot run: as user 65534, the folder .*closed cannot be entered; .*capability dac_override, .*EARSHOT_DATABASE_URL$/,
  );
});

// The user has no name, so initdb needs a namespace.
const asOrdinaryUser = needs('root', 'namespaces', 'ordinary users');

test('an ordinary user runs it as that user, and so does root later', asOrdinaryUser, async () => {
  const dataDir = await makeFolder(join(await openScratch(), 'data'), ordinary);
  const server = launchApart(dataDir, ordinary);
  expect(await server.report).toHaveProperty('host');
  expect(await readOwners(dataDir)).toEqual({ process: 12345, cluster: 12345 });
  server.child.kill('SIGTERM');
  await vi.waitUntil(() => server.child.exitCode !== null);
  expect(await countProcesses(dataDir)).toBe(0);

  const asRoot = await startIn(dataDir);
  expect(await connectTo(asRoot.connection)`select 1 as answer`).toEqual([{ answer: 1 }]);
  expect(await readOwners(dataDir)).toEqual({ process: 12345, cluster: 12345 });
});

test("the error for another user's database names that user", needs('root', 'ordinary users'), async () => {
  const dataDir = await makeFolder(join(await openScratch(), 'data'), ordinary);
  await makeFolder(join(dataDir, 'postgres'), { uid: 65534, gid: 65534 });
  const { error } = await launchApart(dataDir, ordinary).report;
  expect(error).toMatch(/^the database folder .* belongs to user 65534 and Earshot runs as user 12345: .*$/);
});
