import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { DescribedDevice } from '../topics.ts';
import { farewell, isOwnTopic, topicsOf } from '../topics.ts';
import {
  componentKeys,
  deviceKeys,
  discoveryTopicForm,
  homeAssistantCommit,
  originKeys,
  platforms,
  rootKeys,
} from './home-assistant-keys.ts';

const place = { base: 'earshot', version: '1.2.3', publicOrigin: 'https://earshot.example' };
const gate: DescribedDevice = {
  key: 5,
  name: 'Gate',
  serial: 'recorder-17',
  softwareVersion: '0.2.0',
  state: 'online',
  batteryPercent: 82.6,
  levelDb: -31.27,
  tagName: 'Siren',
  alert: { ruleName: 'Fire', severity: 'warning', startMs: 1_794_704_400_000 },
  commands: [{ deviceID: 5, eventPresetID: 7, name: 'Upload' }],
};

interface Description {
  readonly device: Readonly<Record<string, unknown>>;
  readonly origin: Readonly<Record<string, unknown>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const descriptionIn = (topics: ReadonlyMap<string, string>) =>
  JSON.parse([...topics].find(([topic]) => topic.endsWith('/config'))?.[1] ?? '{}') as Description;

test('a device has a topic for each thing that is known of it', () => {
  const topics = topicsOf([gate], place);
  const { device, components } = descriptionIn(topics);
  expect(device).toMatchObject({ identifiers: ['earshot_5'], name: 'Gate', serial_number: 'recorder-17' });
  const valuesOf = (all: ReadonlyMap<string, string>) =>
    Object.fromEntries([...all].filter(([topic]) => topic.startsWith('earshot/')));
  const values = valuesOf(topics);
  expect(values).toEqual({
    'earshot/device/5/state': 'online',
    'earshot/device/5/battery': '83',
    'earshot/device/5/level': '-31.3',
    'earshot/device/5/tag': 'Siren',
    'earshot/device/5/alert': 'ON',
    'earshot/device/5/alert/rule': '{"rule":"Fire","severity":"warning","since":"2026-11-15T01:00:00.000Z"}',
  });
  const named = Object.values(components).flatMap(({ state_topic, json_attributes_topic }) =>
    [state_topic, json_attributes_topic].filter((topic) => topic !== undefined),
  );
  expect(components['button_7']).toMatchObject({ platform: 'button', command_topic: 'earshot/command/5/7' });
  expect(named.toSorted()).toEqual(Object.keys(values).toSorted());
  const unknown = { ...gate, batteryPercent: null, levelDb: null, tagName: null, alert: null };
  const bare = topicsOf([unknown], place);
  expect(valuesOf(bare)).toEqual({
    'earshot/device/5/state': 'online',
    'earshot/device/5/alert': 'OFF',
    'earshot/device/5/alert/rule': '{}',
  });
});

test('Home Assistant knows every key, and the page about it has the same table', () => {
  const topics = topicsOf([gate], place);
  const description = descriptionIn(topics);
  const parts = [
    [[description], rootKeys],
    [[description.device], deviceKeys],
    [[description.origin], originKeys],
    [Object.values(description.components), componentKeys],
  ] as const;
  for (const [found, known] of parts)
    expect([...new Set(found.flatMap((each) => Object.keys(each)))].toSorted()).toEqual(Object.keys(known).toSorted());
  for (const { platform } of Object.values(description.components)) expect(platforms).toContain(platform);
  const page = readFileSync(new URL('../../../../../docs/guides/home-assistant.md', import.meta.url), 'utf8');
  expect(page).toContain(homeAssistantCommit);
  const rows = [...page.matchAll(/^\| ([a-z ]+) \| (.*) \| `(\w+\.py)` \|$/gm)].flatMap(([, part, keys = '', file]) =>
    [...keys.matchAll(/`(\w+)`/g)].map(([, key]) => `${part} ${key} ${file}`),
  );
  const rowsOf = (part: string, known: Readonly<Record<string, string>>) =>
    Object.entries(known).map(([key, file]) => `${part} ${key} ${file}`);
  expect(rows.toSorted()).toEqual(
    [
      ...rowsOf('the description', rootKeys),
      ...rowsOf('device', deviceKeys),
      ...rowsOf('origin', originKeys),
      ...rowsOf('each component', componentKeys),
    ].toSorted(),
  );
});

test('no text of a stranger becomes a topic, another field or a template', () => {
  const hostile = 'x/+/#\0\r\n"},"a":1 {{ states("lock.door") }} \u202e';
  const alert = { ruleName: hostile, severity: 'info', startMs: 0 } as const;
  const stranger = { ...gate, name: hostile, tagName: `${hostile}${'x'.repeat(300)}`, alert };
  const [topics, usual] = [topicsOf([stranger], place), topicsOf([gate], place)];
  expect([...topics.keys()]).toEqual([...usual.keys()]);
  for (const topic of topics.keys()) expect(topic).toMatch(/^[\w/]+$/);
  for (const payload of topics.values()) expect(payload).not.toMatch(/\p{Cc}|\u202e/u);
  const { device, components } = descriptionIn(topics);
  expect(device['name']).toBe('x/+/# "},"a":1 {{ states("lock.door") }}');
  // Without templates, Home Assistant evaluates no text.
  expect(components).toEqual(descriptionIn(usual).components);
  expect(JSON.stringify(components)).not.toMatch(/template|\{\{/);
  expect(topics.get('earshot/device/5/tag')).toHaveLength(255);
  const blank = topicsOf([{ ...gate, name: ' \n', tagName: '\n' }], place);
  expect(descriptionIn(blank).device['name']).toBe('Device 5');
  expect(blank.has('earshot/device/5/tag')).toBe(false);
});

test.each(['earshot', 'home/ear.shot', 'a-b_c'])('below %s, all topics and no others are its own', (base) => {
  const topics = topicsOf([gate], { ...place, base });
  for (const topic of topics.keys()) expect(isOwnTopic(base, topic)).toBe(true);
  expect([...topics.keys()].find((topic) => topic.endsWith('/config'))).toMatch(discoveryTopicForm);
  for (const topic of [
    'homeassistant/device/other_5/config',
    'homeassistant/device/earshot_two_5/config',
    'homeassistant/sensor/earshot_5/config',
    `${base}/channel/1/a`,
    `${base}/availability`,
    `other/${base}/device/5/state`,
  ])
    expect(isOwnTopic(base, topic)).toBe(false);
});

test('a component that is not there any more is said farewell to, once', () => {
  const configOf = (device: DescribedDevice) =>
    [...topicsOf([device], place)].find(([topic]) => topic.endsWith('/config'))?.[1] ?? '';
  const [before, after] = [configOf(gate), configOf({ ...gate, commands: [] })];
  const between = farewell(before, after) ?? '{}';
  const { components } = JSON.parse(between) as Description;
  expect(components['button_7']).toEqual({ platform: 'button' });
  expect(components['state']).toEqual(descriptionIn(topicsOf([gate], place)).components['state']);
  expect(farewell(between, after)).toBeUndefined();
  expect(farewell(after, before)).toBeUndefined();
  for (const strange of [undefined, '', 'x', '[]', '{"components":{"a":null,"b":{"platform":3,"c":1}}}', 'null'])
    expect(farewell(strange, after)).toBeUndefined();
});
