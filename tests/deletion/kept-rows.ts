import type { Fragment, Pool } from '@earshot/server/platform/database/connect';

/*
 * Rows that are removed after a time. For each kind: how a row gets into the table that is `age` old, the age after which
 * it is removed (`limit`), and how many are left. A row is added a little younger and a little older than that.
 */

export interface KeptRows {
  readonly table: string;
  /** As PostgreSQL reads an interval. */
  readonly limit: string;
  readonly add: (db: Pool, age: Fragment, number: number) => Promise<unknown>;
  /** Which rows count; all if not given. */
  readonly counted?: (db: Pool) => Fragment;
}

/** The settings with which the node of the test runs; other limits are fixed. */
export const keptSettings = {
  healthDays: 10,
  stateDays: 9,
  logDays: 11,
  deliveryDays: 12,
  matchDays: 13,
  uploadDays: 3,
  changeHours: 5,
  fileSweepSeconds: 1,
} as const;

export interface Owned {
  readonly deviceID: number;
  readonly userID: number;
  readonly apiKeyID: number;
  readonly uploadKeyID: number;
  readonly channelID: number;
}

/** An event that ended, with its device; as a part of a statement. */
const ended = (db: Pool, deviceID: number, age: Fragment): Fragment => db`
  insert into events (device_id, agent_type_id, event_type_id, event_status, creation_date)
  values (${deviceID}, 1, 1, 4, now() - ${age}) returning key`;

const clipWithEvent = (db: Pool, deviceID: number, age: Fragment, number: number): Fragment => db`
  file as (
    insert into files (device_id, filename, file_size, content_type, file_status)
    values (${deviceID}, 'x.wav', 1, 'audio/wav', 1) returning key),
  clip as (
    insert into audio_clips (device_id, start_ms, audio_clip_status, file_id)
    select ${deviceID}, ${1_000_000 + number}, 3, key from file returning key, file_id),
  event as (
    -- Whatever its age: the work goes on, or has ended.
    insert into events (device_id, agent_type_id, event_type_id, server_event, event_status)
    values (${deviceID}, 5, 5, 1, case when now() - ${age} < now() - interval '1 day' then 4 else 1 end) returning key)`;

export const keptRows = ({ deviceID, userID, apiKeyID, uploadKeyID, channelID }: Owned): readonly KeptRows[] => [
  {
    table: 'idempotent_answers',
    limit: '1 day',
    add: (db, age, number) => db`
      insert into idempotent_answers (digest, request, creation_date)
      values (${Buffer.of(number)}, ${Buffer.of(number)}, now() - ${age})`,
  },
  {
    table: 'bulk_jobs',
    limit: '7 days',
    add: (db, age) => db`
      insert into bulk_jobs (user_id, action, state, record_keys, record_names, total, end_date)
      values (${userID}, 'delete', 'cancelled', '{}', '{}', 1, now() - ${age})`,
  },
  {
    table: 'device_health',
    limit: '10 days',
    add: (db, age) => db`
      insert into device_health (device_id, health_date, health_json) values (${deviceID}, now() - ${age}, '{}')`,
  },
  {
    table: 'log_messages',
    limit: '11 days',
    add: (db, age) => db`
      insert into log_messages (device_id, level, message, message_date) values (${deviceID}, 'info', 'x', now() - ${age})`,
  },
  {
    table: 'postbacks',
    limit: '12 days',
    add: (db, age) => db`
      with event as (${ended(db, deviceID, age)})
      insert into postbacks (event_id, postback_state, next_attempt_date, creation_date)
      select key, 'delivered', null, now() - ${age} from event`,
  },
  {
    table: 'deliveries',
    limit: '12 days',
    add: (db, age) => db`
      insert into deliveries (channel_id, kind, state, creation_date)
      values (${channelID}, 'limit', 'delivered', now() - ${age})`,
  },
  {
    table: 'event_secrets',
    limit: '12 days',
    add: (db, age) => db`
      with event as (${ended(db, deviceID, age)})
      insert into event_secrets (event_id, sealed) select key, 'x' from event`,
  },
  {
    table: 'uploads',
    limit: '3 days',
    add: (db, age) => db`
      insert into uploads (user_id, device_id, upload_size, metadata, creation_date)
      values (${userID}, ${deviceID}, 1, '', now() - ${age})`,
  },
  {
    table: 'changes',
    limit: '5 hours',
    add: (db, age) => db`
      insert into changes (kind, change, record_key, change_date) values ('device', 'changed', -1, now() - ${age})`,
    counted: (db) => db`record_key = -1`,
  },
  {
    table: 'audit_entries',
    // By whole months, so up to a month later.
    limit: '365 days',
    add: (db, age, number) => db`
      insert into audit_entries (action, record_key, audit_date)
      values ('sign-in', -1, now() - ${age} - ${number} * interval '32 days')`,
    counted: (db) => db`record_key = -1`,
  },
  {
    table: 'rule_matches',
    limit: '13 days',
    add: (db, age, number) => db`
      with rule as (
        insert into rules (user_id, rule_name, is_enabled, severity, definition)
        values (${userID}, 'x', false, 'info', '{"when":{"words":"x"},"quietedBy":[]}') returning key)
      insert into rule_matches (rule_id, rule_version, audio_clip_id, device_id, start_ms, judged_date)
      select key, 1, ${-1 - number}::bigint, ${deviceID}, 0, now() - ${age} from rule`,
  },
  {
    table: 'alerts',
    limit: '13 days',
    add: (db, age) => db`
      with rule as (
        insert into rules (user_id, rule_name, is_enabled, severity, definition)
        values (${userID}, 'x', false, 'info', '{"when":{"words":"x"},"quietedBy":[]}') returning key)
      insert into alerts (rule_id, rule_version, severity, first_ms, last_ms, creation_date)
      select key, 1, 'warning', 0, 0, now() - ${age} from rule`,
    counted: (db) => db`severity = 'warning'`,
  },
  {
    table: 'bell_entries',
    limit: '13 days',
    add: (db, age) => db`
      insert into bell_entries (user_id, kind, creation_date) values (${userID}, 'tooOld', now() - ${age})`,
  },
  {
    table: 'alert_upload_requests',
    limit: '0 seconds',
    add: (db, age) => db`
      with rule as (
        insert into rules (user_id, rule_name, is_enabled, severity, definition)
        values (${userID}, 'x', false, 'info', '{"when":{"words":"x"},"quietedBy":[]}') returning key),
      kept as (
        insert into alerts (rule_id, rule_version, severity, first_ms, last_ms)
        select key, 1, 'info', 0, 0 from rule returning key)
      insert into alert_upload_requests (alert_id, action_number, device_id, from_ms, to_ms, until)
      select key, 0, ${deviceID}, 0, 1, now() - ${age} from kept`,
  },
  {
    table: 'sessions',
    limit: '30 days',
    add: (db, age, number) => db`
      insert into sessions (user_id, token_hash, expiration_date)
      values (${userID}, ${Buffer.from(`kept ${number}`)}, now() - ${age})`,
    counted: (db) => db`encode(token_hash, 'escape') like 'kept%'`,
  },
  {
    table: 'password_resets',
    limit: '0 seconds',
    add: (db, age, number) => db`
      with person as (
        insert into users (email, role, password_hash, postback_secret)
        values (${`reset-${number}`}, 'member', '', '') returning key)
      insert into password_resets (user_id, token_hash, expiration_date)
      select key, ${Buffer.from(`reset ${number}`)}, now() - ${age} from person`,
  },
  {
    table: 'sign_in_attempts',
    limit: '1 hour',
    add: (db, age, number) => db`
      insert into sign_in_attempts (subject, failures, last_attempt_date) values (${`kept ${number}`}, 1, now() - ${age})`,
    counted: (db) => db`subject like 'kept%'`,
  },
  {
    table: 'known_addresses',
    limit: '400 days',
    add: (db, age, number) => db`
      insert into known_addresses (user_id, network, last_sign_in_date)
      values (${userID}, ${`192.0.2.${number}`}, now() - ${age})`,
    counted: (db) => db`network like '192.0.2.%'`,
  },
  {
    table: 'setup_tokens',
    limit: '0 seconds',
    add: (db, age, number) => db`
      insert into setup_tokens (token_hash, expiration_date) values (${Buffer.from(`setup ${number}`)}, now() - ${age})`,
  },
  {
    table: 'installation_codes',
    limit: '0 seconds',
    add: (db, age, number) => db`
      with device as (
        insert into devices (user_id, device_name, device_serial)
        values (${userID}, 'x', ${`code-${number}`}) returning key)
      insert into installation_codes (device_id, code_hash, user_id, expiration_date)
      select key, ${Buffer.from(`code ${number}`)}, ${userID}, now() - ${age} from device`,
  },
  {
    table: 'request_nonces',
    limit: '1 minute',
    add: (db, age) => db`
      insert into request_nonces (api_key_id, nonce, expiration_date)
      values (${apiKeyID}, gen_random_uuid(), now() - ${age})`,
  },
  {
    table: 'upload_key_use',
    // By whole days (UTC).
    limit: '1 day',
    add: (db, age, number) => db`
      insert into upload_key_use (upload_key_id, day)
      values (${uploadKeyID}, ((now() - ${age}) at time zone 'UTC')::date - ${number}::int)`,
  },
  {
    table: 'online_times',
    limit: '9 days',
    add: (db, age) => db`
      insert into online_times (device_id, since, until) values (${deviceID}, now() - ${age}, now() - ${age})`,
    counted: (db) => db`until < now() - interval '1 day'`,
  },
  {
    table: 'platform_times',
    limit: '9 days',
    add: (db, age) => db`insert into platform_times (since, until) values (now() - ${age}, now() - ${age})`,
    counted: (db) => db`until < now() - interval '1 day'`,
  },
  {
    table: 'setting_differences',
    limit: '9 days',
    add: (db, age) => db`
      insert into setting_differences (device_id, setting_name, since, until)
      values (${deviceID}, 'gain', now() - ${age}, now() - ${age})`,
  },
  {
    table: 'upload_failures',
    limit: '9 days',
    add: (db, age, number) => db`
      insert into upload_failures (audio_clip_id, device_id, since, until)
      values (${-number - 1}, ${deviceID}, now() - ${age}, now() - ${age})`,
  },
  {
    table: 'acknowledged_states',
    limit: '30 days',
    add: (db, age, number) => db`
      insert into acknowledged_states (rule_id, device_id, acknowledged_date)
      select key, ${-number - 1}, now() - ${age} from rules where user_id is null order by key limit 1`,
  },
  {
    table: 'files',
    limit: '1 day',
    add: (db, age) => db`
      insert into files (user_id, filename, file_size, content_type, creation_date)
      values (${userID}, 'waiting.wav', 1, 'audio/wav', now() - ${age})`,
    counted: (db) => db`filename = 'waiting.wav'`,
  },
  {
    table: 'removed_files',
    limit: '0 seconds',
    add: (db, age) => db`
      insert into removed_files (storage_name, due_date) values (gen_random_uuid(), now() - ${age})`,
    counted: (db) => db`due_date < now() + interval '1 hour'`,
  },
  {
    table: 'caption_runs',
    limit: '1 day',
    add: (db, age, number) => db`
      with ${clipWithEvent(db, deviceID, age, number)}
      insert into caption_runs
        (audio_clip_id, event_id, file_id, engine_name, engine_version, heard_until_ms, holder)
      select clip.key, event.key, clip.file_id, 'x', '1', 0, gen_random_uuid() from clip, event`,
  },
  {
    table: 'label_orders',
    limit: '1 day',
    add: (db, age, number) => db`
      with ${clipWithEvent(db, deviceID, age, 10 + number)}
      insert into label_orders (audio_clip_id, event_id) select clip.key, event.key from clip, event`,
  },
];
