import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { repository } from '../process/server-process.ts';

const run = promisify(execFile);

const git = async (...args: string[]): Promise<string> => (await run('git', args, { cwd: repository })).stdout.trim();

/** The commit before the one that added this migration, for tests that say `needs('history')`. */
export async function findCommitBefore(migration: string): Promise<string> {
  const added = await git('log', '--diff-filter=A', '--format=%H', '--', `server/migrations/${migration}`);
  const [first] = added.split('\n').toReversed();
  return git('rev-parse', `${first}^`);
}

/** The sources of that commit with the dependencies of this repository, not built. */
export async function openFormerVersion(commit: string): Promise<string> {
  const checkout = join(await openScratch(), 'former');
  await mkdir(checkout);
  await run('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, checkout], { cwd: repository });
  const modules = join(checkout, 'node_modules');
  await mkdir(join(modules, '@earshot'), { recursive: true });
  for (const name of await readdir(join(repository, 'node_modules'))) {
    if (name === '@earshot' || name.startsWith('.')) continue;
    await symlink(join(repository, 'node_modules', name), join(modules, name));
  }
  for (const name of await readdir(join(repository, 'node_modules', '@earshot'))) {
    await symlink(join('../..', name), join(modules, '@earshot', name));
  }
  return checkout;
}
