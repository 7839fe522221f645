import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, constants, mkdir, stat } from 'node:fs/promises';
import type { Server } from 'node:net';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';

export interface DataFolderLock {
  release(): Promise<void>;
}

const answerBoundMs = 1000;

/**
 * Locks a data folder for this process; a second server on the same folder is refused. The lock is a socket in Linux's
 * abstract namespace: the kernel grants each name once and releases it when the process ends in any way, so there are
 * no stale locks. The lock is valid within a network namespace: it does not separate two containers that share a
 * folder.
 */
export async function lockDataFolder(dataDir: string): Promise<DataFolderLock> {
  await makeDataFolder(dataDir);
  const name = await nameLock(dataDir);
  try {
    return await claim(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') {
      throw new Error(`the data folder ${dataDir} cannot be locked: ${(error as Error).message}`, { cause: error });
    }
    const holder = await askHolder(name);
    throw new Error(
      `the data folder ${dataDir} is in use by another Earshot server (process ${holder}); stop that one first, or choose another EARSHOT_DATA_DIR`,
      {
        cause: error,
      },
    );
  }
}

/** The lock needs an existing folder. */
async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    // Other users may pass through the folder, but not list it.
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`EARSHOT_DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

/** By device and inode, so that every path to a folder gives the same lock. */
async function nameLock(dataDir: string): Promise<string> {
  const { dev, ino } = await stat(dataDir, { bigint: true });
  const folder = createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 32);
  return `\0earshot-data-folder-${folder}`;
}

async function claim(name: string): Promise<DataFolderLock> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(String(process.pid), () => socket.destroy());
  });
  // In a worker of node:cluster, a bound server is shared with the other workers unless exclusive.
  server.listen({ path: name, exclusive: true });
  await once(server, 'listening');
  server.unref();
  let released: Promise<void> | undefined;
  return { release: () => (released ??= close(server)) };
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

async function askHolder(name: string): Promise<string> {
  const socket = connect({ path: name });
  const bound = setTimeout(() => socket.destroy(), answerBoundMs);
  try {
    const answer = await text(socket);
    return /^\d+$/.test(answer) ? answer : 'unknown';
  } catch {
    return 'unknown';
  } finally {
    clearTimeout(bound);
    socket.destroy();
  }
}
