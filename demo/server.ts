import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoPlace, DemoState } from './state.ts';

export interface DemoServer {
  readonly url: string;
  readonly pid: number;
  /** Undefined if an earlier run started the server. */
  readonly child: ChildProcess | undefined;
}

const usualPort = 8_080;

/** Uses the demo's server if it runs, else starts it with a data folder of its own. */
export async function provideServer(
  { checkout, folder }: DemoPlace,
  state: DemoState,
  settings: Readonly<Record<string, string>> = {},
): Promise<DemoServer> {
  if (state.url !== undefined && state.serverPid !== undefined && (await isReady(state.url, state))) {
    return { url: state.url, pid: state.serverPid, child: undefined };
  }
  const log = openSync(join(folder, 'server.log'), 'a', 0o600);
  const port = await choosePort(Number(process.env['EARSHOT_PORT'] ?? usualPort));
  const ownSettings = Object.entries(process.env).filter(([name]) => !name.startsWith('EARSHOT_'));
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: checkout,
    env: {
      ...Object.fromEntries(ownSettings),
      EARSHOT_PORT: String(port),
      EARSHOT_DATA_DIR: join(folder, 'server'),
      // Outside of the demo's folder, so that a cleared demo need not download them again.
      EARSHOT_MODEL_DIR: join(checkout, 'node_modules', '.cache', 'earshot-models'),
      EARSHOT_ADMIN_EMAIL: state.email,
      EARSHOT_ADMIN_PASSWORD: state.password,
      ...settings,
    },
    stdio: ['ignore', 'pipe', log],
    // Ctrl-C reaches the demo alone, which then stops the server.
    detached: true,
  });
  return { url: await readAddress(child, join(folder, 'server.log')), pid: child.pid ?? 0, child };
}

async function readAddress(child: ChildProcess, log: string): Promise<string> {
  let said = '';
  const address = new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      const found = /^Earshot is ready at (\S+)$/m.exec((said += chunk.toString()))?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const ended = once(child, 'exit').then((): never => {
    throw new Error(`The server did not start. Its log is in ${log}.\n${said}`);
  });
  ended.catch(() => {});
  return Promise.race([address, ended]);
}

/** Whether the demo's own server is at that address: it accepts the demo's account. */
async function isReady(url: string, { email, password }: DemoState): Promise<boolean> {
  const body = JSON.stringify({ email, password });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(new URL('/v1/session', url), { method: 'POST', headers, body }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok ?? false;
}

/** The port itself if it is free, else any free one. */
async function choosePort(port: number): Promise<number> {
  const probe = createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
    return port;
  } catch {
    return 0;
  } finally {
    probe.close();
  }
}

/** Also a server that an earlier run, which was killed, has left. */
export async function stopDemoServer({ child, pid }: DemoServer): Promise<void> {
  const isRunning = () => (child ? child.exitCode === null && child.signalCode === null : isAlive(pid));
  if (!isRunning()) return;
  process.kill(pid, 'SIGTERM');
  while (isRunning()) await sleep(100);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
