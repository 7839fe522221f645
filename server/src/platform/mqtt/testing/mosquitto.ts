import type { IPublishPacket, MqttClient } from 'mqtt';
import { connectAsync } from 'mqtt';
import { expect, onTestFinished } from 'vitest';
import type { BrokerProcess } from './broker-process.ts';
import { openMosquitto } from './broker-process.ts';

export type Mosquitto = Omit<BrokerProcess, 'remove'>;

/** The real broker until the test ends. */
export async function startMosquitto(lines?: readonly string[]): Promise<Mosquitto> {
  const mosquitto = await openMosquitto(lines);
  onTestFinished(() => mosquitto.remove());
  return mosquitto;
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
