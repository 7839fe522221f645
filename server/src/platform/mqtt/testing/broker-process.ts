import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../../../../../scripts/parts.mjs';
import { findFreePort } from '../../../testing/free-port.ts';
import type { MqttConfig } from '../mqtt-config.ts';

export interface BrokerProcess {
  readonly port: number;
  /** As an operator would set it. */
  readonly config: MqttConfig;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good. */
  remove(): Promise<void>;
}

/** The real broker, on this machine; `lines` are added to its configuration. */
export async function openMosquitto(lines: readonly string[] = ['allow_anonymous true']): Promise<BrokerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-mosquitto-'));
  const port = await findFreePort();
  const file = join(folder, 'mosquitto.conf');
  await writeFile(file, ['user root', 'persistence false', `listener ${port} 127.0.0.1`, ...lines, ''].join('\n'));
  let running: ReturnType<typeof spawn> | undefined;
  const hasEnded = () => !running || running.exitCode !== null || running.signalCode !== null;
  const stop = async () => {
    if (!running || hasEnded()) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  };
  const start = async () => {
    running = spawn(findProgram('mosquitto') ?? '', ['-c', file], { stdio: 'ignore' });
    while (!(await isListening(port))) {
      if (hasEnded()) throw new Error('Mosquitto ended before it listened');
      await sleep(20);
    }
  };
  const remove = async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
  await start().catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const config = {
    host: '127.0.0.1',
    port,
    isSecure: false,
    login: undefined,
    version: '5',
    topic: 'earshot',
  } as const;
  return { port, config, stop, start, remove };
}

async function isListening(port: number): Promise<boolean> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
