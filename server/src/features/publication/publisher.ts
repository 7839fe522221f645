import { randomUUID } from 'node:crypto';
import type { Pool } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import type { Broker } from '../../platform/mqtt/broker.ts';
import { openBroker } from '../../platform/mqtt/broker.ts';
import type { MqttConfig } from '../../platform/mqtt/mqtt-config.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { oneLine } from '../../platform/one-line.ts';
import type { CallingParts } from '../event/public.ts';
import type { Presses } from './command/press.ts';
import { createPresses } from './command/press.ts';
import type { CommandKey } from './command/press-queries.ts';
import { findCommands } from './command/queries.ts';
import { commandStateOf } from './command/rules.ts';
import { findPublishers, releaseLease, takeLease, withdrawOfDisabled, withdrawOfOthers } from './queries.ts';
import { findPublishedDevices } from './state-queries.ts';
import type { DescribedDevice, Topics } from './topics.ts';
import {
  availabilityTopic,
  commandFilter,
  commandsOf,
  farewell,
  isDescription,
  isOwnTopic,
  ownFilters,
  topicsOf,
} from './topics.ts';

/*
 * One node, by a lease, brings what the broker keeps to what is to be there. What the broker keeps is read from the broker
 * when the connection is opened, not from the database: so topics of devices that were removed meanwhile, or while no node
 * ran, or before a backup was restored, are removed like all others. If the connection ends, everything is published again.
 * The same node takes the commands: presses of buttons that these topics describe.
 */

export interface PublishingParts {
  readonly db: Pool;
  readonly log: Log;
  readonly outbound: Outbound;
  readonly mqtt: MqttConfig;
  readonly events: Pick<CallingParts, 'wakeups'>;
  readonly version: string;
  readonly publicOrigin: string | undefined;
}

const everyMs = 5_000;
const stopWithinMs = 3_000;
/** Longer than it takes to publish all topics once. */
const leaseSeconds = 60;
/** Messages that wait for their acknowledgement at the same time. */
const mostAtOnce = 50;

interface Link {
  readonly broker: Broker;
  /** What the broker keeps of this installation, as far as it is known. */
  readonly kept: Map<string, string>;
  /** Those that have a button now, by their topics. */
  commands: ReadonlyMap<string, CommandKey>;
}

/** Publishes on this node until the returned function is called. */
export function startPublishing(parts: PublishingParts): () => Promise<void> {
  const { db, log, mqtt } = parts;
  const holder = randomUUID();
  const stopping = new AbortController();
  const presses = createPresses(parts);
  let link: Link | undefined;

  async function step(): Promise<void> {
    if (!(await takeLease(db, holder, leaseSeconds))) return drop();
    try {
      link ??= await openLink(parts, presses, stopping.signal);
      const devices = await findDevices(parts);
      link.commands = commandsOf(devices, mqtt.topic);
      await bring(link, topicsOf(devices, { ...parts, base: mqtt.topic }), mqtt.topic);
    } catch (error) {
      await drop();
      throw error;
    }
  }

  async function drop(): Promise<void> {
    await link?.broker.close();
    link = undefined;
  }

  const stopLoop = startLoop('publication', everyMs, step, log, 0);
  return async () => {
    const deadline = setTimeout(() => stopping.abort(), stopWithinMs);
    await stopLoop();
    await link?.broker.publish(availability(mqtt.topic, 'offline')).catch(() => {});
    await drop();
    await presses.settle();
    clearTimeout(deadline);
    await releaseLease(db, holder);
  };
}

const availability = (base: string, payload: 'online' | 'offline') => ({
  topic: availabilityTopic(base),
  payload,
  isRetained: true,
});

async function openLink({ mqtt, outbound }: PublishingParts, presses: Presses, signal: AbortSignal): Promise<Link> {
  const broker = await openBroker(mqtt, { outbound, signal, will: availability(mqtt.topic, 'offline') });
  const link: Link = { broker, kept: new Map(), commands: new Map() };
  await broker.watchRetained(ownFilters(mqtt.topic), ({ topic, payload }) => {
    if (isOwnTopic(mqtt.topic, topic) && !link.kept.has(topic)) link.kept.set(topic, payload);
  });
  await broker.watchLive(commandFilter(mqtt.topic), (message) => presses.hear(message, link.commands));
  return link;
}

async function findDevices({ db }: PublishingParts): Promise<readonly DescribedDevice[]> {
  await withdrawOfDisabled(db);
  const devices: DescribedDevice[] = [];
  for (const publisher of await findPublishers(db)) {
    await withdrawOfOthers(db, publisher);
    const commands = new Map<number, DescribedDevice['commands'][number][]>();
    for (const command of await findCommands(db, publisher)) {
      if (commandStateOf(command) !== 'ready') continue;
      const { deviceID, eventPresetID, eventPresetName, eventType } = command;
      const name = oneLine(eventPresetName ?? '') || (eventType ?? '');
      commands.set(deviceID, [...(commands.get(deviceID) ?? []), { deviceID, eventPresetID, name }]);
    }
    for (const device of await findPublishedDevices(db, publisher))
      devices.push({ ...device, commands: commands.get(device.key) ?? [] });
  }
  return devices;
}

async function bring({ broker, kept }: Link, wanted: Topics, base: string): Promise<void> {
  const changed = [...wanted]
    .filter(([topic, payload]) => kept.get(topic) !== payload)
    .map(([topic, payload]) => {
      const first = isDescription(base, topic) ? farewell(kept.get(topic), payload) : undefined;
      return [topic, first ?? payload] as const;
    });
  const removed = [...kept.keys()].filter((topic) => !wanted.has(topic)).map((topic) => [topic, ''] as const);
  const pending = [...removed, ...changed];
  while (pending.length > 0)
    await Promise.all(
      pending.splice(0, mostAtOnce).map(async ([topic, payload]) => {
        await broker.publish({ topic, payload, isRetained: true });
        if (payload === '') kept.delete(topic);
        else kept.set(topic, payload);
      }),
    );
  // Each time: the broker may have said `offline` of a node that published before.
  await broker.publish(availability(base, 'online'));
}
