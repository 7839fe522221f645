import { mkdir, open, rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { wait } from '@earshot/client/retry';

const waitMs = 20_000;
const tryEveryMs = 250;

/**
 * Two agents that use one folder would damage its journal. The holder of a folder has a socket in it, which the system
 * closes when the process ends, however it ends. Waits for a process that is ending; throws if it does not end.
 */
export async function lockFolder(folder: string, signal: AbortSignal): Promise<() => void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A path to a socket has at most 107 bytes; this one is short for every folder.
  const handle = await open(folder, 'r');
  try {
    const unlock = await waitForLock(`/proc/self/fd/${handle.fd}/running`, folder, signal);
    return () => {
      unlock();
      void handle.close();
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function waitForLock(path: string, folder: string, signal: AbortSignal): Promise<() => void> {
  for (const endMs = Date.now() + waitMs; !signal.aborted;) {
    const unlock = (await isHeld(path)) ? undefined : await hold(path, join(folder, 'running'));
    if (unlock) return unlock;
    if (Date.now() > endMs) throw new Error(`Another agent uses ${folder}; stop it, or give this one another folder.`);
    await wait(tryEveryMs, signal);
  }
  throw new Error('The agent was stopped.');
}

/** Whether an agent uses the folder. Changes nothing. */
export async function isFolderHeld(folder: string): Promise<boolean> {
  const handle = await open(folder, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return false;
  try {
    return await isHeld(`/proc/self/fd/${handle.fd}/running`);
  } finally {
    await handle.close();
  }
}

async function isHeld(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Undefined if another process was faster. */
async function hold(path: string, shownPath: string): Promise<(() => void) | undefined> {
  await rm(path, { force: true });
  const server = createServer((socket) => socket.destroy());
  server.unref();
  try {
    await once(server.listen(path), 'listening');
  } catch {
    return undefined;
  }
  const { ino } = await stat(shownPath);
  // Another process that found nobody at the same moment may have replaced the socket.
  await wait(50, undefined);
  const now = await stat(shownPath).catch(() => undefined);
  if (now?.ino === ino) return () => void server.close();
  server.close();
  return undefined;
}
