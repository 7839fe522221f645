import { exampleHash } from '@earshot/contract/agent-release';
import { randomBytes } from 'node:crypto';
import type { RecordKind } from '@earshot/contract/record-kind';
import { hashToken, newToken } from '@earshot/server/platform/secrets/tokens';
import type { TestServer } from '@earshot/server/testing/server';
import * as fc from 'fast-check';
import { insertBulkJob } from '../../access/insert-bulk-job.ts';
import { insertClipVersion } from '../../access/insert-clip-version.ts';
import { publishedWithCommand } from '../../access/insert-command.ts';
import { insertAlert, insertRule } from '../../access/insert-rule.ts';
import { insertTeam } from '../../access/insert-team.ts';
import { addDevice } from './add-device.ts';
import {
  insertAgent,
  insertClip,
  insertClipTag,
  insertCollection,
  insertCollectionItem,
  insertEventPreset,
  insertFile,
  insertHealthReport,
  insertLogLine,
  insertRollout,
  insertSavedSearch,
  insertTakenEvent,
  insertUpload,
  insertUploadKey,
} from '../../access/inserts.ts';
import { metadataNaming } from '../../access/fixtures.ts';
import { channelHints } from './channel-hints.ts';
import { clipHints } from './clip-hints.ts';
import { pageHints } from './page-hints.ts';
import { ruleHints } from './rule-hints.ts';
import { tinyWav } from '../../../server/src/features/file/tests/sound.ts';
import { basic } from '../send.ts';
import type { Hints } from './values.ts';

export type Who = 'admin' | 'member' | 'nobody';

/** Some records of every kind, and people who may call; created again when requests have removed them. */
export interface World {
  readonly adminID: number;
  readonly headers: Readonly<Record<Who, Readonly<Record<string, string>>>>;
  readonly keys: Readonly<Record<RecordKind, readonly number[]>>;
  readonly hints: Readonly<Record<string, Hints>>;
  /** Values of headers that name records. */
  readonly headerValues: Readonly<Record<string, string>>;
}

export const sound = tinyWav();

interface Person {
  readonly userID: number;
  readonly sessionID: number;
  readonly cookie: string;
}

/** Created in the database, because the requests may have disabled all accounts and used up the sign-in limits. */
async function addPerson({ db }: TestServer, role: Who): Promise<Person> {
  const token = newToken();
  const email = `${randomBytes(6).toString('hex')}@example.org`;
  const [row] = await db<{ userID: number; sessionID: number }[]>`
    with person as (
      insert into users (email, role, password_hash, postback_secret)
      select ${email}, ${role}, password_hash, postback_secret from fuzz_template returning key)
    insert into sessions (user_id, token_hash, expiration_date)
    select key, ${hashToken(token)}, now() + interval '1 day' from person
    returning user_id as "userID", key as "sessionID"`;
  if (!row) throw new Error('no person was added');
  await db`insert into user_settings (user_id, setting_name, setting_value) values (${row.userID}, 'volume', '75')`;
  return { ...row, cookie: `earshot_session=${token}` };
}

/** Stores values that only the server can create, so that further people can be created with them. */
export async function prepareWorlds({ db }: TestServer): Promise<void> {
  await db`create table fuzz_template as select password_hash, postback_secret from users limit 1`;
}

/** Otherwise the admins of all worlds would be told of every alert of every world. */
export async function leaveWorld({ db }: TestServer, { adminID }: World): Promise<void> {
  await db`update users set disabled = true where key = ${adminID}`;
}

/** Inserted by SQL where that is enough; over HTTP the same records took a quarter of the time of the fuzz tests. */
export async function createWorld(server: TestServer, url: string): Promise<World> {
  const { db } = server;
  const [admin, member] = [await addPerson(server, 'admin'), await addPerson(server, 'member')];
  const { userID } = member;
  await db`delete from sign_in_attempts`;
  const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const headers = { cookie: member.cookie, ...(body ? { 'content-type': 'application/json' } : {}) };
    const response = await fetch(new URL(path, url), { method, headers, body: body ? JSON.stringify(body) : null });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const device = await addDevice(server, userID);
  const otherDevice = await addDevice(server, userID);
  await db`with device as (select ${device.key}::bigint as key), ${publishedWithCommand(db, userID)} select 1`;
  // So that a path that names a device by its serial finds it too.
  const deviceSerial = String(device.key);
  const agent = await insertAgent(db, userID, device.key);
  const collection = await insertCollection(db, userID, 'read');
  const item = await insertCollectionItem(db, userID, collection.key, { deviceID: device.key });
  const event = await insertTakenEvent(db, userID, device.key);
  const file = await insertFile(server, device.key);
  const clip = await insertClip(server, userID, device.key, 1_000_000);
  await db`
    insert into radio_calls (audio_clip_id, device_id, clip_start_ms, talkgroup)
    values (${clip.key}, ${device.key}, 1000000, 4521)`;
  await call('PUT', `/v1/caption/${clip.key}`, { transcript: 'an owl' });
  const preset = await insertEventPreset(db, userID, device.key);
  const tag = await insertClipTag(db, userID, clip.key);
  const report = await insertHealthReport(db, device.key);
  const line = await insertLogLine(db, device.key);
  const bulkJob = await insertBulkJob(db, userID);
  const rollout = await insertRollout(db, userID, device.key);
  const rule = await insertRule(db, userID);
  const alert = await insertAlert(db, userID, device.key);
  const saved = await insertSavedSearch(db, userID);
  const key = await call<{ key: number; accessKey: string; secretKey: string }>('POST', '/v1/apikey');
  const deviceKey = await call<{ key: number }>('POST', `/v1/device/${device.key}/apikey`);
  const channel = await call<{ key: number }>('POST', '/v1/channel', {
    channelName: 'Told',
    kind: 'webhook',
    settings: { url: 'https://told.invalid/' },
  });
  const subscription = await call<{ key: number }>('POST', '/v1/subscription', {
    channelID: channel.key,
    changes: ['device.online'],
  });
  const uploadKey = await insertUploadKey(db, userID);
  const upload = await insertUpload(db, userID, device.key);
  const other = await addPerson(server, 'member');
  const team = await insertTeam(db, userID, collection.key);
  return {
    adminID: admin.userID,
    headers: { admin: { cookie: admin.cookie }, member: basic(key), nobody: {} },
    keys: {
      agent: [agent.key],
      alert: [alert.key],
      apikey: [deviceKey.key],
      audioclip: [clip.key],
      audiocliptag: [tag.key],
      audioclipversion: [(await insertClipVersion(server, clip.key)).key],
      bulkjob: [bulkJob.key],
      caption: [clip.key],
      channel: [channel.key],
      collection: [collection.key],
      collectionitem: [item.key],
      device: [device.key],
      devicehealth: [report.key],
      event: [event.key],
      eventpreset: [preset.key],
      file: [file.key],
      logmessage: [line.key],
      rollout: [rollout.key],
      rule: [rule.key],
      auditentry: [],
      savedsearch: [saved.key],
      session: [admin.sessionID, member.sessionID],
      subscription: [subscription.key],
      team: [team.key],
      teamname: [team.key],
      upload: [upload.key],
      uploadkey: [uploadKey.key],
      user: [other.userID, member.userID],
    },
    headerValues: { 'upload-metadata': metadataNaming(deviceSerial) },
    hints: {
      ...hintsFor(deviceSerial, device.key, other.userID),
      ...clipHints(deviceSerial, device.key, clip.key),
      ...ruleHints(device.key, collection.key, preset.key, member.userID, team.key, clip.key),
      ...channelHints(channel.key, device.key),
      ...pageHints(device.key, collection.key),
      mergeDevice: { intoDeviceID: fc.constantFrom(otherDevice.key, device.key) },
    },
  };
}

function hintsFor(serial: string, deviceID: number, userID: number): World['hints'] {
  const deviceSerial = fc.constantFrom(serial, serial, 'nobody');
  const field = fc.constantFrom('agentDescription', 'recentOutput', 'processID', 'currentEventID', 'ProcessID', 'key');
  const pointer = field.map((name) => `/${name}`);
  const agentType = fc.constantFrom('Device', 'device', 'Gardener');
  const eventType = fc.constantFrom('Reboot', 'REBOOT', 'Water_flowers');
  const eventParameters = fc.constantFrom('{}', '', '{"delay":5}', '[]', 'no');
  const event = {
    eventType,
    agentType,
    eventParameters,
    agentTypeID: fc.constantFrom(1, 2),
    eventTypeID: fc.constant(10),
  };
  const target = { deviceID: fc.constant(deviceID), deviceGroupID: fc.constant(0) };
  const healthJSON = fc.constantFrom(
    '',
    'no',
    '{"battery":{"percent":50}}',
    '{"lat":1,"lon":2,"ssid":"\\u0000"}',
    '[[1]]',
  );
  const epochs = { startEpoch: fc.constantFrom(0, 1000), endEpoch: fc.constantFrom(0, 1000, 253_402_300_799) };
  const audited = { userID: fc.constantFrom(userID, 0), deviceID: fc.constantFrom(deviceID, 0) };
  return {
    createEventType: { agentType },
    listEventTypesOfAgent: { agentType },
    updateEventType: { eventType, aliases: fc.constant([]) },
    createEvent: { ...event, ...target, deviceSerial, postbackURL: fc.constantFrom('https://example.org/', 'no') },
    listPendingEvents: { deviceSerial, agentType },
    longPollEvents: { deviceSerial, agentType },
    longPollEventList: { deviceSerial, agentType },
    dequeueEvent: { deviceSerial, agentType },
    createEventPreset: { ...event, ...target },
    updateEventPreset: event,
    registerAgent: { deviceSerial, agentType: fc.constantFrom('Audio', 'device', 'CAPTION', 'Gardener') },
    listAgents: { deviceID: fc.constantFrom(deviceID, 0), startDate: fc.constant('2026-01-01T00:00:00Z') },
    findDeviceByName: { deviceSerial },
    createDeviceHealth: { deviceSerial, healthJSON },
    updateLatestDeviceHealth: { deviceSerial, healthJSON },
    updateDeviceHealth: { healthJSON },
    listDeviceHealth: { deviceID: fc.constant(deviceID), ...epochs },
    getHealthLineChart: { variableName: fc.constantFrom('batteryPercent', 'CPUTEMP', 'mood'), ...epochs },
    createLogMessage: { deviceSerial, agentType, logDate: fc.constantFrom('2026-11-15 01:10:00.123456+00:00', 'now') },
    listLogMessages: { deviceID: fc.constantFrom(deviceID, 0), startDate: fc.constant('2026-01-01T00:00:00Z') },
    listAuditEntries: { ...audited, action: fc.constantFrom('sign-in', 'none') },
    exportAuditEntries: audited,
    reportDeviceReady: { deviceSerial, agentType },
    putDeviceSetting: { settingName: fc.constant('volume'), name: fc.constant('volume') },
    updateDevice: { userID: fc.constantFrom(userID) },
    createTeam: { userIDs: fc.constantFrom([], [userID]) },
    updateTeam: {
      timeZone: fc.constantFrom('Europe/Zurich', null),
      rota: fc.constantFrom([], null),
      escalateSeconds: fc.constantFrom(60, null),
    },
    patchAgent: {
      op: fc.constantFrom('add', 'remove', 'replace', 'test'),
      path: pointer,
      from: pointer,
      fieldName: field,
    },
    createRollout: {
      sha256: fc.constant(exampleHash),
      deviceIDs: fc.constant([deviceID]),
      deviceGroupID: fc.constant(0),
      stages: fc.constantFrom([], [50]),
    },
    acknowledgeAlert: { keys: fc.constantFrom([deviceID], [deviceID, 0], []) },
    changePassword: { oldPassword: fc.constant('the admin of these tests') },
  };
}
