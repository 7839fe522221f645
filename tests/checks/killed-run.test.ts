import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProcessesNaming, openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { expect, onTestFinished, test } from 'vitest';
import { repository } from '../process/server-process.ts';

/* A test run that is killed leaves no process and no folder. */

const pathOf = (name: string): string => JSON.stringify(join(repository, name));

/** A run with a database, and with a test that starts a program and never ends. */
async function makeRun(): Promise<string> {
  const root = await openScratch();
  await symlink(join(repository, 'node_modules'), join(root, 'node_modules'));
  await mkdir(join(root, 'tests'));
  const config = { test: { globalSetup: [join(repository, 'server/src/testing/global-setup.ts')], maxWorkers: 1 } };
  await writeFile(join(root, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};`);
  await writeFile(
    join(root, 'tests/endless.test.ts'),
    `import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    import { test } from 'vitest';
    test('never ends', async () => {
      const { pid } = spawn('sleep', ['86400'], { detached: true, stdio: 'ignore' });
      writeFileSync('started', JSON.stringify({ folder: tmpdir(), pids: [process.pid, process.ppid, pid] }));
      await new Promise(() => {});
    }, 0);`,
  );
  return root;
}

const isRunning = (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    // A zombie has ended.
    (text) => !/\) Z /.test(text),
    () => false,
  );

interface Started {
  readonly folder: string;
  /** Of the worker, of vitest, and of the program of the test. */
  readonly pids: readonly [number, number, number];
}

async function waitForStart(root: string): Promise<Started> {
  const read = () => readFile(join(root, 'started'), 'utf8').catch(() => '');
  await expect.poll(read).toMatch(/\}$/);
  return JSON.parse(await read()) as Started;
}

test.for([
  { killed: 'vitest', signal: 'SIGKILL' },
  { killed: 'npm test', signal: 'SIGTERM' },
] as const)('$killed, by $signal', async ({ killed, signal }) => {
  const root = await makeRun();
  const program = `import { runVitest } from ${pathOf('scripts/run-vitest.mjs')}; await runVitest([], process.cwd());`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: root, stdio: 'ignore' });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const { folder, pids } = await waitForStart(root);
  const cluster = join(folder, 'data/postgres/cluster');
  expect(await findProcessesNaming(cluster)).not.toEqual([]);
  expect(await Promise.all(pids.map(isRunning))).toEqual([true, true, true]);

  if (killed === 'vitest') process.kill(pids[1], signal);
  else parent.kill(signal);

  await expect.poll(() => existsSync(folder)).toBe(false);
  await expect.poll(() => Promise.all(pids.map(isRunning))).toEqual([false, false, false]);
  await expect.poll(() => findProcessesNaming(folder)).toEqual([]);
});
