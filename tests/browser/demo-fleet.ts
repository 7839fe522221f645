import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import type { DemoRadio } from './demo-radio.ts';
import { makeDemoRadio } from './demo-radio.ts';
import type { DemoSpeech } from './demo-speech.ts';
import { makeDemoSpeech } from './demo-speech.ts';
import { recordWeek } from './demo-clips.ts';
import { makeDemoRecords } from './demo-records.ts';

/** Demo data: devices in several states, events in progress and failed, people, collections. */

const places = [
  ['north-gate', 'North gate', 'Under the eaves, facing the road'],
  ['harbour-east', 'Harbour, east mole', 'On the lamp post at the ferry steps'],
  ['school-yard', 'School yard', ''],
  ['owl-box-4', 'Owl box 4', 'Beech wood, 6 m up, facing south'],
  ['platform-2', 'Station, platform 2', 'Behind the timetable'],
  ['council-hall', 'Council hall', 'Sessions on Tuesdays, 19:00'],
  ['boiler-room', 'Boiler room', 'Listens for the pump'],
  ['mill-pond', 'Mill pond', 'Frogs, mostly'],
  ['roof-17', 'مئذنة الجامع الكبير', 'A name from right to left'],
  ['a-very-long-serial-number-of-a-recorder-that-nobody-would-type', `Very${'long'.repeat(30)}name`, 'x'.repeat(200)],
] as const;

export interface DemoFleet {
  readonly deviceIDs: readonly number[];
  readonly eventID: number;
  readonly collectionID: number;
  readonly speech: DemoSpeech;
  readonly radio: DemoRadio;
}

export async function makeDemoFleet(url: string, admin: Client): Promise<DemoFleet> {
  const devices = [];
  for (const [deviceSerial, deviceName, deviceDescription] of places) {
    const body = {
      deviceSerial,
      deviceName,
      deviceDescription,
      timeZone: 'Europe/Zurich',
      retentionDays: 90,
      autoCaption: false,
    };
    devices.push(await admin.createDevice({ body }));
  }
  const deviceIDs = devices.map(({ key }) => key ?? 0);
  const key = await admin.createApiKey();
  await admin.updateApiKey({ params: { apiKeyID: key.key ?? 0 }, body: { aPIKeyDescription: 'Nightly export' } });
  const agent = createClient({
    url,
    credential: { accessKey: key.accessKey ?? '', secretKey: key.secretKey ?? '' },
  });
  for (const [deviceSerial] of places.slice(0, 6)) await startAgents(agent, deviceSerial);
  const eventID = await makeWork(admin, agent, deviceIDs);
  await makeDemoRecords(url, admin, deviceIDs[0] ?? 0, places[0][0]);
  await recordWeek(admin, agent);
  await announceClips(agent);
  const collectionID = await makePeopleAndCollections(admin, deviceIDs);
  const speech = await makeDemoSpeech(admin);
  const radio = await makeDemoRadio(url, admin);
  return { deviceIDs, eventID, collectionID, speech, radio };
}

async function startAgents(agent: Client, deviceSerial: string): Promise<void> {
  for (const [index, agentType] of ['Audio', 'Transfer'].entries()) {
    const body = { deviceSerial, agentType, agentVersion: `1.${4 + index}.2`, processID: 4_711 + index };
    const { key = 0 } = await agent.registerAgent({ body });
    const recentOutput =
      agentType === 'Audio' ? 'level -42 dB\nclip 1794704400 closed, 60 s\nrecording' : 'queue empty';
    await agent.updateAgent({ params: { agentID: key }, body: { recentOutput } });
  }
}

async function makeWork(admin: Client, agent: Client, deviceIDs: readonly number[]): Promise<number> {
  const enqueue = (index: number, eventType: string, eventParameters = '{}') =>
    admin.createEvent({ body: { deviceID: deviceIDs[index] ?? 0, eventType, eventParameters } });
  const take = async (index: number, agentType: string) =>
    (await agent.dequeueEvent({ body: { deviceSerial: places[index]?.[0] ?? '', agentType, processID: 4_711 } }))
      ?.key ?? 0;
  const report = (eventID: number, body: { eventStatus: number; percentComplete?: number; result?: string }) =>
    agent.reportEvent({ params: { eventID }, body: { ...body, processID: 4_711 } });

  await enqueue(0, 'Start_recording', '{"gain":12}');
  await report(await take(0, 'Audio'), { eventStatus: 4, percentComplete: 100, result: 'recording since 06:00' });
  await enqueue(3, 'Start_recording', '{"gain":24}');
  await report(await take(3, 'Audio'), { eventStatus: 5, result: 'microphone 2 not found: check the cable' });
  await enqueue(1, 'Upload_audio_clips', '{"audioClips":[1,2,3]}');
  const uploading = await take(1, 'Transfer');
  await report(uploading, { eventStatus: 3, percentComplete: 62 });
  await enqueue(4, 'Upload_audio_clips', '{"audioClips":[7]}');
  await report(await take(4, 'Transfer'), { eventStatus: 3, percentComplete: 8 });
  await enqueue(6, 'Reboot');
  await enqueue(7, 'Report_diagnostics');
  const { key = 0 } = await enqueue(5, 'Stop_recording');
  await admin.cancelEvent({ params: { eventID: key } });
  const preset = { eventType: 'Start_recording', eventParameters: '{"gain":12}' };
  await admin.createEventPreset({
    body: { ...preset, deviceID: deviceIDs[0] ?? 0, eventPresetName: 'Record the dawn' },
  });
  await admin.createEventPreset({
    body: { eventType: 'Reboot', deviceID: deviceIDs[0] ?? 0, eventPresetName: 'Reboot' },
  });
  return uploading;
}

async function announceClips(agent: Client): Promise<void> {
  const now = Math.floor(Date.now() / 1_000);
  for (const [index, [deviceSerial]] of places.slice(0, 5).entries()) {
    const body = Array.from({ length: 4 }, (_, clip) => ({
      startTime: now - 3_600 * clip - 300 * index - 65,
      clipLengthInSeconds: 60,
      audioClipStatus: index === 3 && clip === 0 ? 4 : clip % 3,
      fileSize: 480_000,
    }));
    await agent.announceAudioClips({ params: { deviceSerial }, body });
  }
}

async function makePeopleAndCollections(admin: Client, deviceIDs: readonly number[]): Promise<number> {
  const people = [];
  for (const [email, displayName, role] of [
    ['ada@example.org', 'Ada Lovelace', 'admin'],
    ['grace@example.org', 'Grace Hopper', 'member'],
    ['a.very.long.address.of.somebody.who.works.here@a-long-name.example.org', '', 'member'],
  ] as const) {
    people.push(await admin.createUser({ body: { email, displayName, role, password: 'a password for a demo' } }));
  }
  await admin.updateUser({ params: { userID: people[2]?.key ?? 0 }, body: { disabled: true } });
  const harbour = { collectionName: 'Harbour', collectionDescription: 'Everything along the quay' };
  const { key: collectionID = 0 } = await admin.createCollection({ body: harbour });
  await admin.createCollection({ body: { collectionName: 'Wildlife', memberAccess: 'write' } });
  const place = (itemType: 'device' | 'user', itemID: number) =>
    admin.addCollectionItem({ params: { collectionItemID: collectionID }, body: { itemType, itemID } });
  for (const deviceID of deviceIDs.slice(0, 3)) await place('device', deviceID);
  await place('user', people[1]?.key ?? 0);
  const preset = { eventType: 'Report_diagnostics', eventPresetName: 'Check every microphone' };
  await admin.createEventPreset({ body: { ...preset, deviceGroupID: collectionID } });
  return collectionID;
}
