import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../process/server-process.ts';
import { makeDebianRoot } from './debian-root.ts';

const run = promisify(execFile);
const options = { maxBuffer: 256 * 1024 ** 2 };
const baseName = 'localhost/earshot-base';
const imageName = 'localhost/earshot';
export const imageVersion = '0.2.0-dev.7+1234567';

/** What the image says about its container. */
export interface ImageConfig {
  readonly User: string;
  readonly WorkingDir: string;
  readonly Env: readonly string[];
  readonly Cmd: readonly string[];
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly Volumes: Readonly<Record<string, object>>;
}

export interface Image {
  readonly config: ImageConfig;
  /** The file system of the image. */
  readonly folder: string;
  remove(): Promise<void>;
}

/** Builds deploy/Containerfile. No registry is needed: its base is a Debian made here, with this machine's Node. */
export async function buildImage(): Promise<Image> {
  const storage = await mkdtemp(join(tmpdir(), 'earshot-image-'));
  const places = ['--root', join(storage, 'root'), '--runroot', join(storage, 'run'), '--storage-driver', 'vfs'];
  const buildah = async (command: string, ...args: string[]) =>
    (await run('buildah', [...places, command, ...args], { ...options, cwd: repository })).stdout.trim();
  try {
    await makeBase(buildah);
    const chroot = ['--isolation=chroot', '--network=host'];
    const file = ['--format=docker', '--layers=false', '--file=deploy/Containerfile', `--tag=${imageName}`];
    await buildah(
      'build',
      ...chroot,
      ...file,
      `--build-arg=NODE_IMAGE=${baseName}`,
      `--build-arg=VERSION=${imageVersion}`,
      '.',
    );
    const { Docker } = JSON.parse(await buildah('inspect', '--type=image', imageName)) as {
      Docker: { config: ImageConfig };
    };
    const container = await buildah('from', imageName);
    const folder = await buildah('mount', container);
    return {
      config: Docker.config,
      folder,
      async remove() {
        await buildah('rm', container);
        await rm(storage, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  } catch (error) {
    await rm(storage, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}

async function makeBase(buildah: (command: string, ...args: string[]) => Promise<string>): Promise<void> {
  const root = await makeDebianRoot();
  try {
    await writeFile(join(root.folder, 'etc/npmrc'), root.npmSettings());
    await run('umount', [join(root.folder, 'proc')]);
    const container = await buildah('from', 'scratch');
    await buildah('add', container, root.folder, '/');
    const env = ['PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'npm_config_globalconfig=/etc/npmrc'];
    await buildah('config', ...env.map((one) => `--env=${one}`), container);
    await buildah('commit', '--format=docker', '--rm', container, baseName);
  } finally {
    await root.remove();
  }
}

/**
 * A container as near as possible without a container engine: processes and mounts of its own, the image's file system
 * read-only except for /tmp and /data, the image's user without capabilities, and the network of this machine.
 */
export function startContainer(
  { folder, config }: Image,
  dataDir: string,
  environment: Readonly<Record<string, string>>,
) {
  const mounts = [
    'mount --make-rprivate /',
    'mount --rbind "$1" "$1"',
    'mount -o remount,bind,ro "$1"',
    'mount -t proc proc "$1/proc"',
    'mount --rbind /dev "$1/dev"',
    'mount -t tmpfs tmpfs "$1/tmp"',
    'mount --bind "$2" "$1/data"',
    'root=$1',
    'shift 2',
    'exec chroot "$root" /usr/bin/setpriv "$@"',
  ].join(' && ');
  const args = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', mounts, 'sh', folder, dataDir];
  const command = [...identity(config), ...program(config, config.Cmd)];
  const env = { ...imageEnvironment(config), ...environment };
  return spawn('unshare', [...args, ...command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

const identity = ({ User }: ImageConfig): string[] => {
  const [uid, gid] = User.split(':');
  return [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs', '--bounding-set=-all', '--'];
};

const program = ({ WorkingDir }: ImageConfig, command: readonly string[]): string[] => [
  '/bin/sh',
  '-c',
  `cd ${WorkingDir} && exec "$@"`,
  'sh',
  ...command,
];

const imageEnvironment = ({ Env }: ImageConfig): Record<string, string> =>
  Object.fromEntries(Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));

/** Runs a command in the container, as the image's user; the exit code, and what it printed. */
export async function runInContainer(
  { config, folder }: Image,
  pid: number,
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string }> {
  const enter = ['--target', String(pid), '--mount', '--pid', 'chroot', folder, '/usr/bin/setpriv'];
  const env = { ...imageEnvironment(config), ...environment };
  try {
    const { stdout, stderr } = await run('nsenter', [...enter, ...identity(config), ...program(config, command)], {
      env,
    });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}
