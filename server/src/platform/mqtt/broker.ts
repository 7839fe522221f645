import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { MqttClient } from 'mqtt';
import { explainFailure, OutboundError } from '../outbound/outbound-error.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { MqttConfig } from './mqtt-config.ts';

export interface BrokerMessage {
  readonly topic: string;
  readonly payload: string;
  /** The broker gives the last one to everybody who subscribes later; an empty payload removes it. */
  readonly isRetained?: boolean;
}

/** A connection to the broker. It is not opened again when it has ended. */
export interface Broker {
  /** Resolves when the broker has taken the message (QoS 1). Rejects with an OutboundError or a BrokerRefusal. */
  publish(message: BrokerMessage): Promise<void>;
  /**
   * Calls `hear` with each message that the broker keeps under these filters. It does so at some time after this resolves;
   * messages that are published later are not among them.
   */
  watchRetained(filters: readonly string[], hear: (message: BrokerMessage) => void): Promise<void>;
  /**
   * Calls `hear` with messages under this filter that are published from now on and that the broker does not keep. A broker that
   * speaks 3.1.1 does not say of a new message whether it keeps it, so there such a message is heard once.
   */
  watchLive(filter: string, hear: (message: BrokerMessage) => void): Promise<void>;
  /** Says goodbye, so that no last will is published. */
  close(): Promise<void>;
}

/** The broker answered, and refused: the connection, or one message. */
export class BrokerRefusal extends Error {
  readonly refused: 'connection' | 'message';
  /** The reason code of MQTT. */
  readonly code: number;
  constructor(refused: 'connection' | 'message', error: ReasonedError) {
    super(`the broker refused the ${refused} (${error.message.replace(/^[\w ]+: /, '')})`, { cause: error });
    this.refused = refused;
    this.code = error.code;
  }
}

type ReasonedError = Error & { readonly code: number };
const hasReason = (error: unknown): error is ReasonedError => typeof (error as { code?: unknown }).code === 'number';

export interface BrokerMeans {
  readonly outbound: Pick<Outbound, 'openSocket'>;
  /** Ends the connection, at any time. */
  readonly signal: AbortSignal;
  /** What the broker publishes if the connection is lost. */
  readonly will?: BrokerMessage;
}

/** Longer than an attempt to send a message, which has a deadline of its own. */
const answerWithinMs = 20_000;
const keepaliveSeconds = 30;

/**
 * Connects over an address that was checked, until `signal` aborts or the connection ends. With its own random name at the
 * broker, which keeps nothing of it.
 */
export async function openBroker(
  { host, port, isSecure, login, version }: MqttConfig,
  { outbound, signal, will }: BrokerMeans,
): Promise<Broker> {
  // Loaded when it is used for the first time: most installations have no broker.
  const mqtt = await import('mqtt');
  const socket = await outbound.openSocket({ host, port }, signal);
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const stream = isSecure ? connectTls({ socket, host, ...servername }) : socket;
  const client = new mqtt.MqttClient(() => stream, {
    protocolVersion: version === '5' ? 5 : 4,
    clientId: `earshot${randomBytes(8).toString('hex')}`,
    clean: true,
    keepalive: keepaliveSeconds,
    connectTimeout: answerWithinMs,
    reconnectPeriod: 0,
    ...(login ? { username: login.user, password: login.pass } : {}),
    ...(will ? { will: { ...packetOf(will), qos: 1 } } : {}),
  });
  const ended = endOf(client);
  const cut = () => void stream.destroy();
  signal.addEventListener('abort', cut, { once: true });
  client.once('close', () => signal.removeEventListener('abort', cut));
  if (signal.aborted) cut();
  const connected = new Promise<void>((resolve) => client.once('connect', () => resolve()));
  await Promise.race([connected, ended]).catch((error: unknown) => {
    cut();
    throw error;
  });
  return {
    async publish(message) {
      const { topic, payload, retain } = packetOf(message);
      const published = client.publishAsync(topic, payload, { qos: 1, retain }).catch((error: unknown) => {
        throw hasReason(error) ? new BrokerRefusal('message', error) : error;
      });
      await Promise.race([published, ended]);
    },
    async watchRetained(filters, hear) {
      client.on('message', (topic, payload, { retain }) => {
        if (retain) hear({ topic, payload: payload.toString() });
      });
      await Promise.race([client.subscribeAsync([...filters], { qos: 1 }), ended]);
    },
    async watchLive(filter, hear) {
      client.on('message', (topic, payload, { retain }) => {
        if (!retain) hear({ topic, payload: payload.toString() });
      });
      await Promise.race([client.subscribeAsync(filter, { qos: 1, rap: true }), ended]);
    },
    async close() {
      // Of a connection that has ended, the library would wait for answers.
      await Promise.race([client.endAsync(), ended]).catch(() => {});
      cut();
    },
  };
}

const packetOf = ({ topic, payload, isRetained = false }: BrokerMessage) => ({
  topic,
  payload: Buffer.from(payload),
  retain: isRetained,
});

/** Rejects when the connection has failed, was refused, or was closed by the broker. */
function endOf(client: MqttClient): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    client.on('error', (error) =>
      reject(hasReason(error) ? new BrokerRefusal('connection', error) : explainFailure(error)),
    );
    client.on('close', () => reject(new OutboundError('failed', 'the broker closed the connection')));
  });
  // Also when nobody waits for it.
  ended.catch(() => {});
  return ended;
}
