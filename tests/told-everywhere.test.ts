import { createClient } from '@earshot/client/client';
import { findFreePort } from '@earshot/server/testing/free-port';
import { needs } from '@earshot/server/testing/needs';
import { startTestServer } from '@earshot/server/testing/server';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readRecording, realEngine } from '../server/src/features/caption/tests/captioning.ts';
import { filesIn, partOf, startMailServer } from '../server/src/features/channel/tests/mail-server.ts';
import { requireSigned, startPushService } from '../server/src/features/channel/tests/push-service.ts';
import { createChannelScene, startTold } from '../server/src/features/channel/tests/scene.ts';
import { retainedAt, startMosquitto, watchBroker } from '../server/src/platform/mqtt/testing/mosquitto.ts';

const patience = { interval: 100 };

/** A server that transcribes, and everything outside of it that it tells. */
async function startWorld(version: '5' | '3.1.1') {
  const [mosquitto, mailServer, hook, alertmanager, push] = await Promise.all([
    startMosquitto(),
    startMailServer(),
    startTold(),
    startTold(),
    startPushService(),
  ]);
  const port = await findFreePort();
  const server = await startTestServer({
    port,
    publicOrigin: `http://127.0.0.1:${port}`,
    captions: realEngine,
    allowNetworks: ['127.0.0.0/8'],
    mail: { host: '127.0.0.1', port: mailServer.port, isSecure: false, login: undefined, from: 'e@example.org' },
    mqtt: { ...mosquitto.config, version },
  });
  onTestFinished(() => server.stop());
  return { server, mosquitto, mailServer, hook, alertmanager, push };
}

const jsonOf = ({ body }: { readonly body: string }) => JSON.parse(body) as Record<string, unknown>;

describe('what is said is told everywhere', needs('speech', 'mosquitto'), () => {
  test.each(['5', '3.1.1'] as const)(
    'speech is heard by a rule, told by every channel, acted on, acknowledged from the mail and resolved (MQTT %s)',
    async (version) => {
      const { server, mosquitto, mailServer, hook, alertmanager, push } = await startWorld(version);
      const { client, person, addDevice, addRule, disclose, alertsOf, deliveriesOf } = await createChannelScene(server);
      const device = await addDevice();
      await disclose(device);
      const params = { deviceID: device };
      const { serialNumber: deviceSerial = '' } = await client.getDevice({ params });
      const addChannel = async (kind: 'webhook' | 'email' | 'push' | 'mqtt' | 'alertmanager', settings: object) =>
        (await client.createChannel({ body: { channelName: kind, kind, settings } })).key ?? 0;
      const channels = {
        webhook: await addChannel('webhook', { url: `http://127.0.0.1:${hook.port}/told` }),
        email: await addChannel('email', { address: person.email, attachesSound: true }),
        push: await addChannel('push', push.settings),
        mqtt: await addChannel('mqtt', { topic: 'kitchen/bell' }),
        alertmanager: await addChannel('alertmanager', { url: `http://127.0.0.1:${alertmanager.port}` }),
      };
      const { heard } = await watchBroker(mosquitto, 'earshot/channel/#');
      const { key: preset = 0 } = await client.createEventPreset({
        body: { deviceID: device, eventType: 'Report_diagnostics' },
      });
      await client.setDevicePublication({ params, body: { isPublished: true } });
      const to = Object.values(channels).map((channelID) => ({ channelID }));
      const rule = await addRule({
        when: { words: 'amiable' },
        severity: 'warning',
        actions: [
          { action: 'notify', to, includesWords: true },
          { action: 'runPreset', eventPresetID: preset, on: 'device' },
        ],
      });

      // The recorder announces and uploads what was said, with the key of its device.
      const { client: recorder } = await person.withKey({ deviceID: device });
      const agent = { deviceSerial, agentType: 'Device', processID: 17 };
      await recorder.registerAgent({ body: agent });
      const sound = readRecording();
      const clip = await recorder.announceAudioClip({
        params: { audioClipID: deviceSerial },
        body: { startTime: Math.floor(Date.now() / 1_000) - 60 },
      });
      const clipID = clip.key ?? 0;
      await recorder.putAudioClipContent({ params: { audioClipID: clipID }, body: sound });

      const statesOf = async () =>
        Promise.all(
          Object.values(channels).map(async (channelID) =>
            (await deliveriesOf(channelID)).map(({ kind, state }) => `${kind} ${state}`),
          ),
        );
      await expect.poll(statesOf, patience).toEqual(Object.values(channels).map(() => ['alert delivered']));
      const [alert] = await alertsOf(rule);
      const alertID = alert?.key ?? 0;

      const { postbackSecret } = await person.session.getPostbackSecret();
      const [posted] = hook.requests;
      expect(new Webhook(postbackSecret).verify(posted!.body, posted!.headers)).toMatchObject({
        type: 'alert.told',
        data: { alertID, ruleName: 'Fire', audioClipID: clipID, text: expect.stringMatching(/amiable/i) },
      });
      const [mail] = mailServer.mails;
      expect(mail?.to).toEqual([person.email]);
      expect(partOf(mail!, 'text/plain')).toMatch(/amiable/i);
      expect(Object.values(filesIn(mail!)).map((file) => file.equals(Buffer.from(sound)))).toEqual([true]);
      const [pushed] = push.pushed;
      requireSigned(pushed!, (await client.getPushKey()).publicKey, push.origin);
      expect(push.decrypt(pushed!)).toMatchObject({
        tag: `alert-${alertID}`,
        body: expect.stringMatching(/amiable/i),
      });
      expect(heard.map(({ topic, wasRetained }) => [topic, wasRetained])).toEqual([
        [`earshot/channel/${channels.mqtt}/kitchen/bell`, false],
      ]);
      expect(JSON.parse(heard[0]?.text ?? '')).toMatchObject({
        type: 'alert.told',
        data: { alertID, text: expect.stringMatching(/amiable/i) },
      });
      const [firing] = alertmanager.requests;
      expect(firing?.path).toBe('/api/v2/alerts');
      expect(jsonOf(firing!)).toMatchObject([{ labels: { alert: String(alertID), severity: 'warning' } }]);
      const endsAt = ({ body }: { readonly body: string }) =>
        Date.parse((JSON.parse(body) as { endsAt: string }[])[0]?.endsAt ?? '');
      expect(endsAt(firing!)).toBeGreaterThan(Date.now());
      await expect
        .poll(async () => (await retainedAt(mosquitto))[`earshot/device/${device}/alert`], patience)
        .toBe('ON');

      // The agent takes the work that the rule ordered, and does it.
      const taken = (await recorder.dequeueEvent({ body: agent })) as
        | { key?: number; eventTypeID?: number }
        | undefined;
      const eventID = taken?.key ?? 0;
      await recorder.reportEvent({ params: { eventID }, body: { eventStatus: 4, result: 'all well' } });
      expect(await client.getEvent({ params: { eventID } })).toMatchObject({ eventStatus: 4, result: 'all well' });
      const { acts } = await client.getRuleAlert({ params: { alertID } });
      expect(acts).toContainEqual(expect.objectContaining({ action: 'runPreset', eventPresetID: preset, eventID }));

      // The link of the mail: a page first, which changes nothing; its button acknowledges, without a session.
      const link = /(http:\S+\/acknowledge)#token=([\w.-]+)/.exec(partOf(mail!, 'text/plain'));
      expect((await fetch(link?.[1] ?? '')).status).toBe(200);
      expect((await alertsOf(rule))[0]).toMatchObject({ state: 'open' });
      await createClient({ url: server.url }).acknowledgeByLink({ body: { token: link?.[2] ?? '' } });
      expect((await alertsOf(rule))[0]).toMatchObject({ state: 'acknowledged', stateBy: person.userID });

      // Programs that follow the state are told; people are not told twice.
      const told = ['alert delivered'];
      const both = ['alert delivered', 'resolved delivered'];
      await expect.poll(statesOf, patience).toEqual([both, told, told, both, both]);
      expect(jsonOf(hook.requests[1]!)).toMatchObject({ type: 'alert.resolved', data: { alertID } });
      expect(JSON.parse(heard[1]?.text ?? '')).toMatchObject({ type: 'alert.resolved', data: { alertID } });
      expect(endsAt(alertmanager.requests[1]!)).toBeLessThanOrEqual(Date.now());
      expect(jsonOf(alertmanager.requests[1]!)).toMatchObject([{ labels: { alert: String(alertID) } }]);
      await expect
        .poll(async () => (await retainedAt(mosquitto))[`earshot/device/${device}/alert`], patience)
        .toBe('OFF');
    },
  );
});
