import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { exampleHash } from '@earshot/contract/agent-release';
import { sessionCookie } from '@earshot/contract/session';
import type { Pool } from '@earshot/server/platform/database/connect';
import { hashToken } from '@earshot/server/platform/secrets/tokens';
import { openStorage } from '@earshot/server/platform/storage/storage';
import type { TestServer } from '@earshot/server/testing/server';
import { sha256, tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { publishedWithCommand } from './insert-command.ts';

/*
 * Records of the access table and of the fuzz tests, each inserted by one SQL statement with the columns that the
 * operations set. Creating the same records over HTTP took three quarters of the table's time.
 */

export interface Key {
  readonly key: number;
}

export function only<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Error('the record was not inserted');
  return row;
}

/** A person with the password of another one, which saves a password hash. */
export async function insertUser(
  db: Pool,
  role: 'admin' | 'member',
  samePasswordAs: number,
): Promise<Key & { email: string }> {
  const email = `${randomUUID()}@example.org`;
  const { key } = only(
    await db<Key[]>`
      insert into users (email, role, password_hash, postback_secret)
      select ${email}, ${role}, password_hash, postback_secret from users where key = ${samePasswordAs} returning key`,
  );
  // The setting of the contract's examples.
  await db`insert into user_settings (user_id, setting_name, setting_value) values (${key}, 'volume', '75')`;
  return { key, email };
}

export async function insertSession(db: Pool, userID: number): Promise<Key & { cookie: string }> {
  const token = randomUUID();
  const { key } = only(
    await db<Key[]>`
      insert into sessions (user_id, token_hash, expiration_date)
      values (${userID}, ${hashToken(token)}, now() + interval '1 day') returning key`,
  );
  return { key, cookie: `${sessionCookie}=${token}` };
}

export interface NewDevice {
  readonly userID: number;
  readonly deviceName: string;
  readonly deviceSerial: string;
  /** The file of its clip. */
  readonly startMs: number;
  /** A collection of the holder, to place it in. */
  readonly collectionID: number | null;
}

/** With an event that an agent may take, a clip with sound, and the setting of the examples. */
export async function insertDevice(server: TestServer, given: NewDevice): Promise<Key> {
  const { userID, deviceName, deviceSerial, startMs, collectionID } = given;
  const { db } = server;
  const { key, storageName } = only(
    await db<Stored[]>`
      with device as (
        insert into devices (user_id, device_name, device_serial, longest_clip_ms, created_by)
        values (${userID}, ${deviceName}, ${deviceSerial}, ${wavFacts.durationMs}, ${userID}) returning key),
      placed as (
        insert into collection_items (collection_id, device_id, user_id, placed_by_admin, created_by)
        select ${collectionID}::bigint, key, ${userID}, false, ${userID} from device where ${collectionID}::bigint is not null),
      event as (
        insert into events (device_id, agent_type_id, event_type_id, created_by)
        select device.key, t.agent_type_id, t.key, ${userID} from device, event_types t
        where t.event_type_name = 'Start_recording' returning key),
      history as (
        insert into event_transitions (event_id, to_status, cause, attempt_number, user_id)
        select key, 1, 'enqueued', 0, ${userID} from event),
      setting as (
        insert into device_settings (device_id, setting_name, wanted_value, reported_value)
        select key, 'volume', '75', '60' from device),
      ${publishedWithCommand(db, userID)}, file as (${availableFile(db)}),
      clip as (${clipWithSound(db, userID, startMs)})
      select device.key, file.storage_name as "storageName" from device, file`,
  );
  await writeSound(server, storageName);
  return { key };
}

/** Taken by an agent of the device. */
export async function insertTakenEvent(db: Pool, userID: number, deviceID: number): Promise<Key> {
  return only(
    await db<Key[]>`
      with agent as (
        insert into agents (device_id, agent_type_id, last_heard_from_date, created_by)
        select ${deviceID}, key, now(), ${userID} from agent_types where agent_type_name = 'Device'
        on conflict (device_id, agent_type_id, agent_index) do update set last_heard_from_date = now()
        returning key, agent_type_id),
      event as (
        insert into events (device_id, agent_type_id, event_type_id, event_status, attempt_number, agent_id, taken_date,
          lease_end_date, percent_complete, created_by)
        select ${deviceID}, agent.agent_type_id, t.key, 2, 1, agent.key, now(), now() + interval '5 minutes', 0, ${userID}
        from agent, event_types t where t.event_type_name = 'Reboot' returning key, agent_id),
      history as (
        insert into event_transitions (event_id, from_status, to_status, cause, attempt_number, user_id, agent_id)
        select key, null::smallint, 1::smallint, 'enqueued', 0, ${userID}::bigint, null::bigint from event
        union all select key, 1::smallint, 2::smallint, 'taken', 1, ${userID}, agent_id from event)
      select key from event`,
  );
}

export async function insertAgent(db: Pool, userID: number, deviceID: number): Promise<Key> {
  return only(
    await db<Key[]>`
      insert into agents (device_id, agent_type_id, last_heard_from_date, created_by)
      select ${deviceID}, key, now(), ${userID} from agent_types where agent_type_name = 'Audio' returning key`,
  );
}

export async function insertEventPreset(db: Pool, userID: number, deviceID: number): Promise<Key> {
  return only(
    await db<Key[]>`
      insert into event_presets (user_id, device_id, agent_type_id, event_type_id)
      select ${userID}, ${deviceID}, agent_type_id, key from event_types where event_type_name = 'Restart_agents' returning key`,
  );
}

/** The release that the examples of the contract name. */
export async function insertExampleRelease(db: Pool): Promise<void> {
  await db`
    insert into agent_releases (sha256, program, version, file_size) values (${exampleHash}, 'agent', '0.1.0', 1)
    on conflict do nothing`;
}

/** Stopped, so that the platform does not continue it. */
export async function insertRollout(db: Pool, userID: number, deviceID: number): Promise<Key> {
  await insertExampleRelease(db);
  return only(
    await db<Key[]>`
      with rollout as (
        insert into rollouts (user_id, sha256, state, stages, most_failures, timeout_seconds)
        values (${userID}, ${exampleHash}, 'stopped', '{10,50,100}', 0, 3600) returning key)
      insert into rollout_devices (rollout_id, device_id, stage) select key, ${deviceID}, 0 from rollout
      returning rollout_id as key`,
  );
}

export async function insertCollection(db: Pool, userID: number, memberAccess: 'read' | 'write'): Promise<Key> {
  return only(
    await db<Key[]>`
      insert into collections (user_id, collection_name, member_access, created_by)
      values (${userID}, 'Quay', ${memberAccess}, ${userID}) returning key`,
  );
}

/** Places a device or a person in a collection of `userID`, or returns the existing item. */
export async function insertCollectionItem(
  db: Pool,
  userID: number,
  collectionID: number,
  { deviceID = null, memberID = null }: { deviceID?: number | null; memberID?: number | null },
): Promise<Key> {
  return only(
    await db<Key[]>`
      with placed as (
        insert into collection_items (collection_id, device_id, member_id, user_id, placed_by_admin, created_by)
        values (${collectionID}, ${deviceID}, ${memberID}, ${userID}, false, ${userID})
        on conflict do nothing returning key)
      select key from placed
      union all select key from collection_items
      where collection_id = ${collectionID} and (device_id = ${deviceID} or member_id = ${memberID})`,
  );
}

const wav = tinyWav();
export const wavFacts = { bytes: wav.length, sha256: sha256(wav), durationMs: 500, bitrate: 128_000 };

export interface Stored extends Key {
  readonly storageName: string;
}

/** A file of `device`, as if its bytes had been uploaded. */
export const availableFile = (db: Pool) => db`
  insert into files (device_id, filename, file_size, sha256_hash, received_sha256, content_type, file_status,
    duration_ms, bitrate, available_date)
  select key, 'dawn.wav', ${wavFacts.bytes}::bigint, ${wavFacts.sha256}, ${wavFacts.sha256}, 'audio/wav', 1,
    ${wavFacts.durationMs}::bigint, ${wavFacts.bitrate}::bigint, now()
  from device returning key, device_id, storage_name`;

/** A clip of `file`. */
const clipWithSound = (db: Pool, userID: number, startMs: number) => db`
  insert into audio_clips (device_id, start_ms, end_ms, audio_clip_status, file_id, file_size, bitrate, created_by)
  select device_id, ${startMs}::bigint, ${startMs + wavFacts.durationMs}::bigint, 3, key, ${wavFacts.bytes}::bigint,
    ${wavFacts.bitrate}::bigint, ${userID}::bigint
  from file returning key`;

export async function writeSound({ dataDir }: TestServer, storageName: string): Promise<void> {
  const path = openStorage({ url: '', dataDir }).localPath(storageName) ?? '';
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, wav);
}

/** A file of a device, with its bytes. */
export async function insertFile(server: TestServer, deviceID: number): Promise<Key> {
  const { db } = server;
  const { key, storageName } = only(
    await db<Stored[]>`
      with device as (select ${deviceID}::bigint as key), file as (${availableFile(db)})
      select key, storage_name as "storageName" from file`,
  );
  await writeSound(server, storageName);
  return { key };
}

/** Open, without bytes; its size is that of `tinyWav`. */
export async function insertUpload(db: Pool, userID: number, deviceID: number): Promise<Key> {
  return only(
    await db<Key[]>`
      with file as (
        insert into files (device_id, filename, file_size, content_type)
        values (${deviceID}, 'dawn.wav', ${wavFacts.bytes}, 'application/octet-stream') returning key)
      insert into uploads (user_id, device_id, file_id, upload_size, metadata)
      select ${userID}::bigint, ${deviceID}::bigint, file.key, ${wavFacts.bytes}::bigint, '' from file returning key`,
  );
}

/** With sound. */
export async function insertClip(server: TestServer, userID: number, deviceID: number, startMs: number): Promise<Key> {
  const { db } = server;
  const { key, storageName } = only(
    await db<Stored[]>`
      with device as (select ${deviceID}::bigint as key), file as (${availableFile(db)}),
      clip as (${clipWithSound(db, userID, startMs)})
      select clip.key, file.storage_name as "storageName" from clip, file`,
  );
  await writeSound(server, storageName);
  return { key };
}

/** Announced, without sound. */
export async function insertSilentClip(db: Pool, userID: number, deviceID: number, startMs: number): Promise<Key> {
  return only(
    await db<Key[]>`
      insert into audio_clips (device_id, start_ms, created_by) values (${deviceID}, ${startMs}, ${userID}) returning key`,
  );
}

export async function insertClipTag(db: Pool, userID: number, audioClipID: number): Promise<Key> {
  return only(
    await db<Key[]>`
      with tag as (
        insert into tags (tag_name, created_by) values ('owl', ${userID})
        on conflict (lower(tag_name)) do update set tag_name = excluded.tag_name returning key)
      insert into audio_clip_tags (audio_clip_id, device_id, tag_id, clip_start_ms, offset_ms, created_by)
      select c.key, c.device_id, tag.key, c.start_ms, 0, ${userID} from audio_clips c, tag where c.key = ${audioClipID}
      returning key`,
  );
}

export async function insertSavedSearch(db: Pool, userID: number): Promise<Key> {
  return only(
    await db<Key[]>`
      insert into saved_searches (user_id, search_name, search, created_by)
      values (${userID}, 'Owls', '{"searchText":"owl"}', ${userID}) returning key`,
  );
}

export async function insertAuditEntry(db: Pool, userID: number): Promise<Key> {
  return only(
    await db<Key[]>`insert into audit_entries (action, user_id) values ('sign-out', ${userID}) returning key`,
  );
}

export async function insertUploadKey(db: Pool, userID: number): Promise<Key> {
  return only(
    await db<Key[]>`
      insert into upload_keys (user_id, transcribe, secret_hash)
      values (${userID}, true, ${hashToken(randomUUID())}) returning key`,
  );
}

export async function insertHealthReport(db: Pool, deviceID: number): Promise<Key> {
  return only(
    await db<Key[]>`
      insert into device_health (device_id, health_date, health_json, battery_percent)
      values (${deviceID}, now(), '{"battery":{"percent":81.5}}', 81.5) returning key`,
  );
}

export async function insertLogLine(db: Pool, deviceID: number): Promise<Key> {
  return only(
    await db<Key[]>`
      insert into log_messages (device_id, level, message, message_date)
      values (${deviceID}, 'info', 'started', now()) returning key`,
  );
}
