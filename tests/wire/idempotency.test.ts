import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import { operationList } from '@earshot/contract/operations';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertAlert } from '../access/insert-rule.ts';

let server: TestServer;
let client: Client;
const made = {
  deviceID: 0,
  deviceSerial: 'recorder-1',
  audioClipID: 0,
  eventID: 0,
  eventPresetID: 0,
  alertID: 0,
  channelID: 0,
  collectionID: 0,
};
beforeAll(async () => {
  server = await startTestServer({ role: 'server' });
  ({ client } = await server.admin.withKey());
  const { deviceSerial } = made;
  made.deviceID = (await client.createDevice({ body: { deviceSerial } })).key ?? 0;
  const { deviceID } = made;
  const body = { deviceID, startTime: 1_700_000_000, clipLengthInSeconds: 10 };
  made.audioClipID = (await client.createAudioClip({ body })).key ?? 0;
  const agentType = 'Device';
  await client.registerAgent({ body: { deviceSerial, agentType, processID: 7 } });
  await client.createEvent({ body: { deviceID, eventType } });
  made.eventID = (await client.dequeueEvent({ body: { deviceSerial, agentType, processID: 7 } }))?.key ?? 0;
  made.collectionID = (await client.createCollection({ body: { collectionName: 'Quay' } })).key ?? 0;
  made.eventPresetID = (await client.createEventPreset({ body: { deviceID, eventType } })).key ?? 0;
  await client.setReadyPreset({ params: { deviceID }, body: { eventPresetID: made.eventPresetID } });
  made.alertID = (await insertAlert(server.db, server.admin.userID, deviceID)).key;
  const channel = { channelName: 'Told', kind: 'webhook', settings: { url: 'https://told.invalid/' } } as const;
  made.channelID = (await client.createChannel({ body: channel })).key ?? 0;
  // Of the sound, only the record is here.
  await server.db`
    with file as (
      insert into files (device_id, filename, file_size, content_type, file_status)
      values (${deviceID}, 'x.wav', 1, 'audio/wav', 1) returning key)
    update audio_clips set file_id = file.key, audio_clip_status = 3 from file
    where audio_clips.key = ${made.audioClipID}`;
});
afterAll(() => server.stop());

const eventType = 'Report_diagnostics';

type Send = (headers: { readonly 'idempotency-key': string }) => Promise<unknown>;

/** A request of each operation that takes a key, and the table to which it adds. */
const requests: Readonly<Record<string, readonly [table: string, send: Send]>> = {
  createCollection: ['collections', (headers) => client.createCollection({ headers, body: { collectionName: 'x' } })],
  createEvent: ['events', (headers) => client.createEvent({ headers, body: { deviceID: made.deviceID, eventType } })],
  endEventProcess: ['events', (headers) => client.endEventProcess({ headers, params: { eventID: made.eventID } })],
  createEventPreset: [
    'event_presets',
    (headers) => client.createEventPreset({ headers, body: { deviceID: made.deviceID, eventType } }),
  ],
  runEventPreset: [
    'events',
    (headers) => client.runEventPreset({ headers, params: { eventPresetID: made.eventPresetID }, body: {} }),
  ],
  createDeviceHealth: [
    'device_health',
    (headers) =>
      client.createDeviceHealth({ headers, body: { deviceSerial: made.deviceSerial, healthJSON: '{"battery":50}' } }),
  ],
  createLogMessage: [
    'log_messages',
    (headers) => client.createLogMessage({ headers, body: { deviceSerial: made.deviceSerial, message: 'started' } }),
  ],
  reportDeviceReady: [
    'events',
    (headers) => client.reportDeviceReady({ headers, body: { deviceSerial: made.deviceSerial } }),
  ],
  requestUpload: [
    'events',
    (headers) => client.requestUpload({ headers, body: { deviceID: made.deviceID, audioClips: [made.audioClipID] } }),
  ],
  captionAudio: [
    'events',
    (headers) => client.captionAudio({ headers, params: { deviceSerial: made.deviceSerial }, body: {} }),
  ],
  concatenateAudioClips: [
    'events',
    (headers) =>
      client.concatenateAudioClips({
        headers,
        body: { deviceID: made.deviceID, audioClips: [{ key: made.audioClipID }] },
      }),
  ],
  exportAudioClips: [
    'events',
    (headers) =>
      client.exportAudioClips({
        headers,
        // Without an address, equal requests are one anyway.
        body: {
          deviceID: made.deviceID,
          startEpoch: 1_700_000_000,
          endEpoch: 1_700_000_010,
          postbackURL: 'https://example.org/x',
        },
      }),
  ],
  createSavedSearch: [
    'saved_searches',
    (headers) => client.createSavedSearch({ headers, body: { searchName: 'x', search: { searchText: 'mayday' } } }),
  ],
  createRule: [
    'rules',
    (headers) => client.createRule({ headers, body: { ruleName: 'x', when: { words: 'mayday' }, actions: [] } }),
  ],
  createChannel: [
    'channels',
    (headers) =>
      client.createChannel({
        headers,
        body: { channelName: 'x', kind: 'webhook', settings: { url: 'https://example.org/x' } },
      }),
  ],
  createSubscription: [
    'subscriptions',
    (headers) =>
      client.createSubscription({ headers, body: { channelID: made.channelID, changes: ['device.online'] } }),
  ],
  startDeviceBulk: [
    'bulk_jobs',
    (headers) =>
      client.startDeviceBulk({
        headers,
        body: { action: 'sendEvent', deviceIDs: [made.deviceID], event: { eventType: 'Report_diagnostics' } },
      }),
  ],
  takeOutItems: [
    'bulk_jobs',
    (headers) =>
      client.takeOutItems({
        headers,
        params: { collectionID: made.collectionID },
        body: { collectionItemIDs: [4711] },
      }),
  ],
  createTeam: ['teams', (headers) => server.admin.session.createTeam({ headers, body: { teamName: 'x' } })],
  addAlertNote: [
    'alert_notes',
    (headers) => client.addAlertNote({ headers, params: { alertID: made.alertID }, body: { note: 'seen' } }),
  ],
};

test('each operation that takes a key is tried here', () => {
  const keyed = operationList.filter(([, { repetition }]) => repetition === 'adds').map(([name]) => name);
  expect(Object.keys(requests).toSorted()).toEqual(keyed.toSorted());
});

test.each(Object.entries(requests))('%s is done once with one key, and again without', async (_name, [table, send]) => {
  const count = async (): Promise<number> => {
    const [row] = await server.db<{ count: number }[]>`select count(*)::int as count from ${server.db(table)}`;
    return row?.count ?? 0;
  };
  const before = await count();
  const headers = { 'idempotency-key': randomUUID() };
  const first = await send(headers);
  expect(await send(headers)).toEqual(first);
  expect(await count()).toBe(before + 1);
  await send({ 'idempotency-key': randomUUID() });
  expect(await count()).toBe(before + 2);
});
