import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { TestServer } from '../../../testing/server.ts';
import { startTestServer } from '../../../testing/server.ts';
import { openStream } from '../../live/tests/stream.ts';
import { createScene } from '../../rule/tests/said.ts';
import { createAlertScene, fire, minuteMs } from './scene.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('matches and alerts are sent to those who name the kinds and may see them, and never to device keys', async () => {
  const { client, person, addDevice, say, now, addRule, alertsOf, lend, correct } = await createAlertScene(server);
  const [told, reader] = [await createScene(server), await createScene(server)];
  const device = await addDevice();
  for (const { person: other } of [told, reader]) await lend(device, other.userID);
  const key = await person.session.createDeviceKey({ params: { deviceID: device }, body: {} });
  const credential = { accessKey: key.accessKey ?? '', secretKey: key.secretKey ?? '' };
  const to = [{ userID: told.person.userID }, { userID: person.userID }];
  const rule = await addRule({ ...fire, actions: [{ action: 'notify', to }] });
  const open = async (who: Parameters<typeof openStream>[1], kinds?: string) => {
    const stream = await openStream(server.url, who, undefined, kinds);
    onTestFinished(() => stream.close());
    return stream;
  };
  const kinds = 'device,rulematch,alert';
  const streams = {
    owner: await open(person, kinds),
    told: await open(told.person, kinds),
    admin: await open(server.admin, kinds),
    reader: await open(reader.person, kinds),
    deviceKey: await open({ credential }, kinds),
    unnamed: await open(person),
  };
  const clip = await say(device, now - minuteMs, 'fire');
  const [alert] = await alertsOf(rule);
  await client.updateRuleAlert({ params: { alertID: alert?.key ?? 0 }, body: { state: 'acknowledged' } });
  await correct(clip, 'water');
  await alertsOf(rule);
  // A mark behind everything: a change of the device, which all of them may see.
  await client.updateDevice({ params: { deviceID: device }, body: { deviceName: 'The mark' } });
  const heard = async (stream: (typeof streams)['owner']) => {
    await stream.until(({ record }) => (record as { deviceName?: string } | undefined)?.deviceName === 'The mark');
    return stream.changes.filter(
      ({ event, record }) => event !== 'device' && (record as { ruleID?: number })?.ruleID === rule,
    );
  };
  for (const stream of [streams.owner, streams.told, streams.admin]) {
    const changes = await heard(stream);
    expect(changes.filter(({ event }) => event === 'rulematch')).toMatchObject([
      { change: 'created', deviceID: device, record: { audioClipID: clip, alertID: alert?.key } },
      { change: 'changed', record: { state: 'withdrawn' } },
    ]);
    const ofAlert = changes.filter(({ event }) => event === 'alert');
    expect(ofAlert[0]).toMatchObject({ change: 'created', key: alert?.key, deviceID: device });
    expect(ofAlert.at(-1)).toMatchObject({ change: 'changed', record: { state: 'closed' } });
    expect(JSON.stringify(changes)).not.toContain('fire');
  }
  for (const stream of [streams.reader, streams.deviceKey, streams.unnamed]) expect(await heard(stream)).toEqual([]);
  expect(streams.owner.changes.every(({ event }) => ['device', 'rulematch', 'alert'].includes(event))).toBe(true);
  expect(streams.unnamed.changes.some(({ event }) => event === 'audioclip')).toBe(true);
  const wrong = await fetch(new URL('/v1/live?kinds=alert,word', server.url), { headers: { cookie: person.cookie } });
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('kinds')]);
});
