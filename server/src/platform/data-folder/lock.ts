import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, constants, mkdir, stat } from 'node:fs/promises';
import { type Server, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';

export interface DataFolderLock {
  release(): Promise<void>;
}

const answerBoundMs = 1000;

/**
 * Claims a data folder for this process; a second server on the same folder is refused. The claim
 * is a socket in Linux's abstract namespace: the kernel grants each name once and takes it back
 * whatever way the process ends, so there is no stale lock to judge. It reaches as far as the
 * network namespace: two containers that share a folder are not kept apart.
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
    throw new Error(`the data folder ${dataDir} is in use by another Earshot server (process ${holder})`, {
      cause: error,
    });
  }
}

/** A folder that is yet to be made could not be claimed. */
async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    // Others may pass through it, not list it.
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`EARSHOT_DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

/** By device and inode, so that every path to a folder leads to the same lock. */
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
  // In a worker of node:cluster, a listener is shared with its siblings unless exclusive.
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
