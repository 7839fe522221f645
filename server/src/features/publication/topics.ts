import { oneLine } from '../../platform/one-line.ts';
import type { CommandKey } from './command/press-queries.ts';
import type { PublishedDevice } from './state-queries.ts';

/** What the broker keeps, by topic. */
export type Topics = ReadonlyMap<string, string>;

export interface TopicPlace {
  /** Below it is everything but the descriptions for Home Assistant. */
  readonly base: string;
  readonly version: string;
  readonly publicOrigin: string | undefined;
}

/** Whether the platform is there: the broker says `offline` when the connection is lost. */
export const availabilityTopic = (base: string): string => `${base}/availability`;

/** Where Home Assistant looks for descriptions, unless its operator has changed it. */
const discoveryTopic = 'homeassistant/device';

/** Home Assistant permits these characters alone. */
const idOf = (base: string, deviceID: number | string): string => `${base.replaceAll(/[^\w-]/g, '_')}_${deviceID}`;

/** What this installation may have at the broker: the filters to subscribe to, and whether a topic is of it. */
export const ownFilters = (base: string): readonly string[] => [`${base}/device/#`, `${discoveryTopic}/+/config`];
export const isOwnTopic = (base: string, topic: string): boolean =>
  topic.startsWith(`${base}/device/`) || isDescription(base, topic);
export function isDescription(base: string, topic: string): boolean {
  const described = `${discoveryTopic}/${idOf(base, '')}`;
  return topic.startsWith(described) && /^\d+\/config$/.test(topic.slice(described.length));
}

/** What a button of Home Assistant sends. */
export const pressPayload = 'PRESS';
export const commandFilter = (base: string): string => `${base}/command/+/+`;
const commandTopic = (base: string, { deviceID, eventPresetID }: CommandKey): string =>
  `${base}/command/${deviceID}/${eventPresetID}`;

/** The commands that have a button, by the topics on which they are pressed. */
export const commandsOf = (devices: readonly DescribedDevice[], base: string): ReadonlyMap<string, CommandKey> =>
  new Map(devices.flatMap(({ commands }) => commands.map((command) => [commandTopic(base, command), command])));

/** A device with its commands. */
export interface DescribedDevice extends PublishedDevice {
  readonly commands: readonly (CommandKey & { readonly name: string })[];
}

/** Longer states are refused by Home Assistant. */
const longestState = 255;

/** What is to be at the broker of these devices. What is unknown has no topic. */
export function topicsOf(devices: readonly DescribedDevice[], place: TopicPlace): Topics {
  const { base } = place;
  const topics = new Map<string, string>();
  for (const device of devices) {
    const { key, state, batteryPercent, levelDb, tagName, alert } = device;
    const own = `${base}/device/${key}`;
    topics.set(`${discoveryTopic}/${idOf(base, key)}/config`, JSON.stringify(describe(device, place)));
    topics.set(`${own}/state`, state);
    if (batteryPercent !== null) topics.set(`${own}/battery`, String(Math.round(batteryPercent)));
    if (levelDb !== null) topics.set(`${own}/level`, levelDb.toFixed(1));
    const tag = Array.from(oneLine(tagName ?? ''))
      .slice(0, longestState)
      .join('');
    if (tag !== '') topics.set(`${own}/tag`, tag);
    topics.set(`${own}/alert`, alert ? 'ON' : 'OFF');
    const rule = alert
      ? { rule: oneLine(alert.ruleName), severity: alert.severity, since: new Date(alert.startMs).toISOString() }
      : {};
    topics.set(`${own}/alert/rule`, JSON.stringify(rule));
  }
  return topics;
}

/** As Home Assistant reads it, with keys that are not abbreviated. tests/home-assistant-keys.ts has their source. */
function describe(
  { key, name, serial, softwareVersion, commands }: DescribedDevice,
  { base, version, publicOrigin }: TopicPlace,
): object {
  const own = `${base}/device/${key}`;
  const id = idOf(base, key);
  const component = (platform: 'sensor' | 'binary_sensor', noun: string, label: string, more: object = {}) => ({
    [noun]: { platform, unique_id: `${id}_${noun}`, name: label, state_topic: `${own}/${noun}`, ...more },
  });
  const buttons = commands.map((command) => [
    `button_${command.eventPresetID}`,
    {
      platform: 'button',
      unique_id: `${id}_button_${command.eventPresetID}`,
      name: oneLine(command.name),
      command_topic: commandTopic(base, command),
      payload_press: pressPayload,
      qos: 1,
    },
  ]);
  return {
    device: {
      identifiers: [id],
      name: oneLine(name ?? '') || `Device ${key}`,
      manufacturer: 'Earshot',
      ...(serial === null ? {} : { serial_number: serial }),
      ...(softwareVersion === null ? {} : { sw_version: softwareVersion }),
      ...(publicOrigin === undefined ? {} : { configuration_url: `${publicOrigin}/devices/${key}` }),
    },
    origin: { name: 'Earshot', sw_version: version },
    availability_topic: availabilityTopic(base),
    components: {
      ...component('sensor', 'state', 'State'),
      ...component('sensor', 'level', 'Level', { unit_of_measurement: 'dBFS', state_class: 'measurement' }),
      ...component('sensor', 'battery', 'Battery', {
        unit_of_measurement: '%',
        device_class: 'battery',
        state_class: 'measurement',
      }),
      ...component('sensor', 'tag', 'Last tag'),
      ...component('binary_sensor', 'alert', 'Alert', {
        device_class: 'problem',
        payload_on: 'ON',
        payload_off: 'OFF',
        json_attributes_topic: `${own}/alert/rule`,
      }),
      ...Object.fromEntries(buttons),
    },
  };
}

interface Components {
  readonly components?: Readonly<Record<string, { readonly platform?: string }>>;
}

/**
 * What is published instead of `wanted` at first, if components are missing that `kept` has: Home Assistant removes a
 * component if it stands there with its platform alone, and keeps one that is left out. Undefined: none are missing.
 */
export function farewell(kept: string | undefined, wanted: string): string | undefined {
  const before = readComponents(kept);
  const { components = {}, ...rest } = JSON.parse(wanted) as Components;
  const removed = Object.entries(before)
    .filter(([name, component]) => components[name] === undefined && Object.keys(component).length > 1)
    .map(([name, { platform }]) => [name, { platform }]);
  if (removed.length === 0) return undefined;
  return JSON.stringify({ ...rest, components: { ...components, ...Object.fromEntries(removed) } });
}

/** Of a description that the broker kept, which anybody may have written. */
function readComponents(text: string | undefined): Required<Components>['components'] {
  try {
    const { components } = (JSON.parse(text ?? '{}') as Components | null) ?? {};
    const entries = Object.entries(components ?? {}).filter(([, each]) => typeof each?.platform === 'string');
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}
