import { execFileSync } from 'node:child_process';
import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { builtServer } from '@earshot/server/testing/built-server';

/*
 * A real disk of a few megabytes, for tests that say `needs('root', 'mounts')`. It is mounted so that only the server on it
 * sees it, and needs no cleanup, because it is unmounted when the last process that uses it exits. Tests access it through
 * /proc.
 */

/** The command that runs the platform with a disk of that size mounted at the folder, which it creates. */
export async function onSmallDisk(folder: string, megabytes: number): Promise<readonly [string, ...string[]]> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const mount = `mount -t tmpfs -o size=${megabytes}m,mode=755 none '${folder}' && exec "$@"`;
  return ['unshare', '--mount', 'sh', '-c', mount, '-', process.execPath, builtServer];
}

export interface SmallDisk {
  /** Fills it, except this many bytes. */
  fill(exceptBytes?: number): Promise<void>;
  /** Removes the filling. */
  empty(): Promise<void>;
  /** Makes it read-only, as the kernel does with a failing disk, or writable again. */
  remount(mode: 'ro' | 'rw'): void;
  /** The files below a folder of the disk, by their paths there. */
  files(below?: string): Promise<string[]>;
  /** The path under which this process can access a path of the disk. */
  reach(path: string): string;
}

/** The disk that the process sees at the folder. */
export function diskOf(pid: number, folder: string): SmallDisk {
  const root = join(`/proc/${pid}/root`, folder);
  const ballast = join(root, 'ballast');
  return {
    async fill(exceptBytes = 0) {
      const handle = await open(ballast, 'a');
      try {
        if (exceptBytes > 0) {
          // Never full in between, which the server could notice and log.
          const { bavail, bsize } = await statfs(root);
          await handle.writeFile(Buffer.alloc(Math.max(0, bavail * bsize - exceptBytes), 'x'));
          return;
        }
        for (const size of [65_536, 4_096]) {
          const block = Buffer.alloc(size, 'x');
          for (;;) {
            const isFull = await handle.write(block).then(
              ({ bytesWritten }) => bytesWritten < size,
              (error: NodeJS.ErrnoException) => {
                if (error.code !== 'ENOSPC') throw error;
                return true;
              },
            );
            if (isFull) break;
          }
        }
      } finally {
        await handle.close();
      }
    },
    empty: () => rm(ballast, { force: true }),
    remount: (mode) =>
      void execFileSync('nsenter', ['-t', String(pid), '-m', 'mount', '-o', `remount,${mode}`, folder]),
    async files(below = '.') {
      const entries = await readdir(join(root, below), { recursive: true, withFileTypes: true });
      // Probe files appear and disappear.
      const kept = entries.filter((entry) => entry.isFile() && !/^(ballast|\.check-)/.test(entry.name));
      const paths = kept.map((entry) => join(entry.parentPath, entry.name));
      const sizes = await Promise.all(paths.map((path) => stat(path).then(({ size }) => size)));
      return paths.map((path, index) => `${path.slice(root.length + 1)} (${sizes[index]} bytes)`).toSorted();
    },
    reach: (path) => join(root, path),
  };
}
