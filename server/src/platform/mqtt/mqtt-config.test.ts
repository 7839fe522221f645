import { expect, test } from 'vitest';
import { readMqtt } from './mqtt-config.ts';

function read(environment: Readonly<Record<string, string>>) {
  const faults: string[] = [];
  return { config: readMqtt(environment, faults), faults };
}

test('a broker has its usual port, version and topic, and a login if one is given', () => {
  const usual = { version: '5', topic: 'earshot', login: undefined };
  expect(read({})).toEqual({ config: undefined, faults: [] });
  expect(read({ EARSHOT_MQTT_URL: ' mqtt://broker.example ' }).config).toEqual({
    host: 'broker.example',
    port: 1883,
    isSecure: false,
    ...usual,
  });
  expect(
    read({
      EARSHOT_MQTT_URL: 'mqtts://me:p%40ss@[2001:db8::1]',
      EARSHOT_MQTT_VERSION: '3.1.1',
      EARSHOT_MQTT_TOPIC: 'home/ears',
    }).config,
  ).toEqual({
    host: '2001:db8::1',
    port: 8883,
    isSecure: true,
    login: { user: 'me', pass: 'p@ss' },
    version: '3.1.1',
    topic: 'home/ears',
  });
});

test.each([
  'http://me:hunter2@broker',
  'mqtt://',
  'broker',
  'mqtt://a:%zz-hunter2@b',
  'mqtt://b/hunter2',
  'mqtt://b?hunter2',
])('%s is refused, and not repeated', (url) => {
  const { config, faults } = read({ EARSHOT_MQTT_URL: url });
  expect(config).toBeUndefined();
  expect(faults).toEqual([
    'EARSHOT_MQTT_URL must be such as mqtt://user:password@broker.example.org:1883 or mqtts://…',
  ]);
});

test('a wrong version and a topic with wildcards are refused, with and without a broker', () => {
  const wrong = { EARSHOT_MQTT_VERSION: '4', EARSHOT_MQTT_TOPIC: 'ears/#' };
  const faults = [
    'EARSHOT_MQTT_VERSION must be 5 or 3.1.1, not "4"',
    'EARSHOT_MQTT_TOPIC must be a topic such as home/earshot, without + and #, not "ears/#"',
  ];
  expect(read(wrong).faults).toEqual(faults);
  expect(read({ ...wrong, EARSHOT_MQTT_URL: 'mqtt://b' }).faults).toEqual(faults);
});
