import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IPublishPacket, MqttClient } from 'mqtt';
import { connectAsync } from 'mqtt';
import { expect, onTestFinished } from 'vitest';
import { findProgram } from '../../../../../scripts/parts.mjs';
import { findFreePort } from '../../../testing/free-port.ts';
import type { MqttConfig } from '../mqtt-config.ts';

export interface Mosquitto {
  readonly port: number;
  /** As an operator would set it. */
  readonly config: MqttConfig;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** The real broker, on this machine, until the test ends; `lines` are added to its configuration. */
export async function startMosquitto(lines: readonly string[] = ['allow_anonymous true']): Promise<Mosquitto> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-mosquitto-'));
  const port = await findFreePort();
  const file = join(folder, 'mosquitto.conf');
  await writeFile(file, ['user root', 'persistence false', `listener ${port} 127.0.0.1`, ...lines, ''].join('\n'));
  let running: ReturnType<typeof spawn> | undefined;
  const stop = async () => {
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  };
  const start = async () => {
    running = spawn(findProgram('mosquitto') ?? '', ['-c', file], { stdio: 'ignore' });
    await expect.poll(() => isListening(port), { timeout: 10_000 }).toBe(true);
  };
  onTestFinished(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });
  await start();
  const config = {
    host: '127.0.0.1',
    port,
    isSecure: false,
    login: undefined,
    version: '5',
    topic: 'earshot',
  } as const;
  return { port, config, stop, start };
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

export interface Heard {
  readonly topic: string;
  readonly text: string;
  readonly qos: number;
  /** It was given out because it is retained, not because it was just published. */
  readonly wasRetained: boolean;
}

export interface BrokerWatch {
  /** Every message since the subscription, in order. */
  readonly heard: Heard[];
  readonly client: MqttClient;
}

/** Somebody who reads along; reconnects by itself. */
export async function watchBroker({ port }: Pick<Mosquitto, 'port'>, filter = '#'): Promise<BrokerWatch> {
  const client = await connectAsync({ host: '127.0.0.1', port, protocolVersion: 5, reconnectPeriod: 50 });
  client.on('error', () => {});
  onTestFinished(() => client.endAsync(true));
  const heard: Heard[] = [];
  client.on('message', (topic: string, payload: Buffer, { qos, retain }: IPublishPacket) => {
    heard.push({ topic, text: payload.toString(), qos, wasRetained: retain });
  });
  await client.subscribeAsync(filter, { qos: 1 });
  return { heard, client };
}

/** What the broker keeps for those who subscribe later, by topic. */
export async function retainedAt(mosquitto: Pick<Mosquitto, 'port'>): Promise<Readonly<Record<string, string>>> {
  const { heard, client } = await watchBroker(mosquitto);
  // The broker sends what it keeps before it forwards this.
  const last = `end/${Math.random()}`;
  await client.publishAsync(last, '', { qos: 1 });
  await expect.poll(() => heard.some(({ topic }) => topic === last)).toBe(true);
  return Object.fromEntries(heard.filter(({ wasRetained }) => wasRetained).map(({ topic, text }) => [topic, text]));
}
