import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { repository } from './server-process.ts';

const workspaces = ['contract', 'server', 'client', 'agent', 'cli', 'console'];

/** A copy of this repository's sources, not built, in a folder of the test. */
export async function openCheckout(): Promise<string> {
  const checkout = join(await openScratch(), 'checkout');
  await copyAll(
    checkout,
    ['package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE', 'scripts', ...workspaces],
    ['node_modules', 'dist'],
  );
  const installed = (await readdir(join(repository, 'node_modules'))).filter((name) => name !== '@earshot');
  await linkWorkspaces(checkout);
  for (const name of installed) {
    await symlink(join(repository, 'node_modules', name), join(checkout, 'node_modules', name));
  }
  return checkout;
}

/** Writes the content of a production image: the built platform with its dependencies, readable by every user. */
export async function writeInstallation(folder: string): Promise<void> {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', '--if-needed'], { cwd: repository });
  if (status !== 0) throw new Error(`the build failed: ${stderr.toString()}`);
  const ofServer = ['dist', 'migrations', 'pages', 'package.json'].map((name) => join('server', name));
  // Native libraries for other systems, a quarter of a gigabyte, are not copied.
  const pack = 'tar -c --exclude=darwin --exclude=win32 -- "$@" | tar -x -C "$0"';
  const ofAgent = ['dist', 'install.sh'].map((name) => join('agent', name));
  const names = [...ofServer, ...ofAgent, 'console/dist', ...(await listRuntimePackages())];
  await promisify(execFile)('sh', ['-c', pack, folder, ...names], { cwd: repository });
}

async function copyAll(to: string, names: readonly string[], leftOut: readonly string[]): Promise<void> {
  const filter = (path: string) => !leftOut.includes(basename(path));
  for (const name of names) {
    const options = { recursive: true, filter, verbatimSymlinks: true };
    await cp(join(repository, name), join(to, name), options);
  }
}

async function linkWorkspaces(checkout: string): Promise<void> {
  const scope = join(checkout, 'node_modules', '@earshot');
  await mkdir(scope, { recursive: true });
  await Promise.all(workspaces.map((name) => symlink(join('../..', name), join(scope, name))));
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>;
}

/**
 * The folders that `npm ci --omit=dev` installs, without nested ones; packages for other systems are listed but not on
 * disk.
 */
async function listRuntimePackages(): Promise<string[]> {
  const { packages } = JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8')) as LockFile;
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev && !link)
    .map(([path]) => path)
    .filter((path) => existsSync(join(repository, path)));
}
