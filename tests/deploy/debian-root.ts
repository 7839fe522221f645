import type { ChildProcess } from 'node:child_process';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../process/server-process.ts';

const run = promisify(execFile);
const maxBuffer = 256 * 1024 ** 2;
const certificates = '/etc/ssl/certs/ca-certificates.crt';
/** In the root, where Debian's package of certificates does not replace it. */
const copiedCertificates = '/etc/npm-certificates.crt';
const path = '/usr/sbin:/usr/bin:/sbin:/bin';

export interface RootUser {
  /** As `chroot --userspec` takes it. */
  readonly spec: string;
  readonly home: string;
}

export const superuser: RootUser = { spec: '0:0', home: '/root' };
export const ordinaryUser: RootUser = { spec: '1000:1000', home: '/home/person' };

/** A new Debian in a folder, for tests that say `needs('root', 'mmdebstrap')`, entered with chroot: no user namespaces there, and nothing but Debian's smallest set. */
export interface DebianRoot {
  readonly folder: string;
  /** Runs a command in a shell and returns what it prints; it fails with all of that. */
  run(user: RootUser, command: string, environment?: Environment): Promise<string>;
  /** Starts it in its own process group. */
  start(user: RootUser, command: string, environment?: Environment): ChildProcess;
  /** The settings with which npm works there, as the text of an npmrc file. */
  npmSettings(): string;
  remove(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

export async function makeDebianRoot(packages: readonly string[] = []): Promise<DebianRoot> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-debian-'));
  const include = packages.length === 0 ? [] : [`--include=${packages.join(',')}`];
  await run('mmdebstrap', ['--variant=minbase', ...include, 'bookworm', folder], { maxBuffer });
  await run('mount', ['-t', 'proc', 'proc', join(folder, 'proc')]);
  await addNode(folder);
  await addNetwork(folder);
  const root = { folder, ...programsOf(folder), remove: () => removeRoot(folder) };
  await root.run(superuser, 'useradd --create-home person');
  return root;
}

function programsOf(folder: string): Omit<DebianRoot, 'folder' | 'remove'> {
  const settings = { registry: readNpmSetting('registry'), cafile: copiedCertificates };
  const npmSettings = { npm_config_registry: settings.registry, npm_config_cafile: settings.cafile };
  const commandOf = ({ spec }: RootUser, command: string) => [`--userspec=${spec}`, folder, '/bin/sh', '-c', command];
  const environmentOf = ({ home }: RootUser, more: Environment) => ({
    PATH: path,
    HOME: home,
    ...npmSettings,
    ...more,
  });
  return {
    npmSettings: () => `registry=${settings.registry}\ncafile=${settings.cafile}\n`,
    async run(user, command, more = {}) {
      const options = { env: environmentOf(user, more), maxBuffer };
      try {
        const { stdout, stderr } = await run('chroot', commandOf(user, command), options);
        return stdout + stderr;
      } catch (error) {
        const { stdout, stderr } = error as { stdout?: string; stderr?: string };
        throw new Error(`\`${command}\` failed:\n${stdout}${stderr}`, { cause: error });
      }
    },
    start: (user, command, more = {}) =>
      spawn('chroot', commandOf(user, command), { env: environmentOf(user, more), detached: true }),
  };
}

/** The registry of this machine. Its other settings, and so its credentials, stay outside. */
function readNpmSetting(name: string): string {
  return spawnSync('npm', ['config', 'get', name], { encoding: 'utf8' }).stdout.trim();
}

/** This machine's Node and npm: Debian's own is too old. */
async function addNode(folder: string): Promise<void> {
  await copyFile(process.execPath, join(folder, 'usr/bin/node'));
  const npm = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim();
  const modules = join(folder, 'usr/lib/node_modules');
  await cp(dirname(dirname(realpathSync(npm))), join(modules, 'npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, 'usr/bin', name));
  }
}

async function addNetwork(folder: string): Promise<void> {
  const copies = {
    '/etc/resolv.conf': '/etc/resolv.conf',
    '/etc/hosts': '/etc/hosts',
    [certificates]: copiedCertificates,
  };
  for (const [file, copy] of Object.entries(copies)) {
    if (existsSync(file)) await copyFile(file, join(folder, copy));
  }
}

async function removeRoot(folder: string): Promise<void> {
  await run('umount', ['-l', join(folder, 'proc')]).catch(() => undefined);
  await run('rm', ['-rf', '--one-file-system', folder]);
}

/** The sources of this repository as they are, not built, in the user's home folder. Returns its path in the root. */
export async function addSources({ folder }: DebianRoot, { spec, home }: RootUser): Promise<string> {
  const target = join(folder, home, 'earshot');
  await mkdir(target, { recursive: true });
  const leftOut = ['node_modules', 'dist', './data', './coverage', './.git'].map((name) => `--exclude=${name}`);
  const copy = 'tar -c "$@" . | tar -x --no-same-owner -C "$0"';
  await run('sh', ['-c', copy, target, ...leftOut], { cwd: repository, maxBuffer });
  await run('chown', ['-R', spec, target]);
  return join(home, 'earshot');
}
