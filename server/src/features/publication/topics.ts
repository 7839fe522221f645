import { oneLine } from '../../platform/one-line.ts';
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
export function isOwnTopic(base: string, topic: string): boolean {
  const described = `${discoveryTopic}/${idOf(base, '')}`;
  return (
    topic.startsWith(`${base}/device/`) ||
    (topic.startsWith(described) && /^\d+\/config$/.test(topic.slice(described.length)))
  );
}

/** Longer states are refused by Home Assistant. */
const longestState = 255;

/** What is to be at the broker of these devices. What is unknown has no topic. */
export function topicsOf(devices: readonly PublishedDevice[], place: TopicPlace): Topics {
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
  { key, name, serial, softwareVersion }: PublishedDevice,
  { base, version, publicOrigin }: TopicPlace,
): object {
  const own = `${base}/device/${key}`;
  const id = idOf(base, key);
  const component = (platform: 'sensor' | 'binary_sensor', noun: string, label: string, more: object = {}) => ({
    [noun]: { platform, unique_id: `${id}_${noun}`, name: label, state_topic: `${own}/${noun}`, ...more },
  });
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
    },
  };
}
