import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';

export interface GitFolder {
  readonly path: string;
  readonly git: (...args: string[]) => string;
  readonly write: (name: string, content: string) => void;
  readonly commit: (message: string) => void;
}

/** Commits without settings of this machine. */
export const gitSettings = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
};

export function runGit(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...gitSettings } }).trim();
}

/** An empty repository in a folder of the test. */
export async function openGitFolder(): Promise<GitFolder> {
  const path = await openScratch();
  const git = (...args: string[]) => runGit(path, ...args);
  git('init', '--quiet');
  return {
    path,
    git,
    write(name, content) {
      mkdirSync(join(path, dirname(name)), { recursive: true });
      writeFileSync(join(path, name), content);
    },
    commit(message) {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', message);
    },
  };
}
