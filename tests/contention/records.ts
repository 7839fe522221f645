import { randomUUID } from 'node:crypto';
import type { RecordKind } from '@earshot/contract/record-kind';
import { exampleHash } from '@earshot/contract/agent-release';
import { sessionCookie } from '@earshot/contract/session';
import type { Pool } from '@earshot/server/platform/database/connect';
import { hashToken } from '@earshot/server/platform/secrets/tokens';

/** Records that belong together, created by SQL: each pair of operations runs on its own set. */
export interface Records {
  readonly deviceID: number;
  /** Also the name of the device, and the guest's email before the @. */
  readonly deviceSerial: string;
  /**
   * Several records of each kind, which callers share in turn: the first caller uses the first, and so on. No clip uses
   * the first file.
   */
  readonly keys: Readonly<Record<RecordKind, readonly number[]>>;
  /** A member who owns the collection, the saved search and the API key, and no device; with the admin's password. */
  readonly guestID: number;
  /** A cookie of a session of the guest, for each caller. */
  readonly guestCookies: readonly string[];
  /** Another device, without records. */
  readonly otherDeviceID: number;
  /** A file without its bytes. */
  readonly waitingFileID: number;
}

export const firstTranscript = 'good morning';

/** The secret of the upload key that created the device with this serial. */
export const uploadSecret = (deviceSerial: string): string => `${deviceSerial}-upload`;
/** System 7 of the rdio-scanner gateway. */
const recorderSource = '["rdio",7,null]';
const callersWithSession = 16;
const wavBytes = 8_044;

/** `startTime` of the examples, so that operations over a range of time find the clips. */
const clipStartMs = 1_794_704_400_000;

export async function makeRecords(db: Pool, adminID: number): Promise<Records> {
  const name = randomUUID();
  const tokens = Array.from({ length: callersWithSession }, () => randomUUID());
  const [made] = await db<Made[]>`
    with guest as (
      insert into users (email, role, password_hash, postback_secret)
      select ${`${name}@example.org`}, 'member', password_hash, postback_secret from users where key = ${adminID}
      returning key),
    device as (
      insert into devices (user_id, device_name, device_serial, retention_days)
      values (${adminID}, ${name}, ${name}, 36500) returning key),
    other_device as (
      insert into devices (user_id, device_name, device_serial)
      values (${adminID}, ${`${name} other`}, ${`${name}-other`}) returning key),
    agent as (
      insert into agents (device_id, agent_type_id, agent_index, process_id, last_heard_from_date)
      select device.key, t.key, 0, 4711, now() from device, agent_types t where t.agent_type_name = 'Device'
      returning key, device_id, agent_type_id),
    event as (
      insert into events (device_id, agent_type_id, event_type_id, event_status, attempt_number, max_attempts, agent_id,
        process_id, taken_date, lease_end_date)
      select agent.device_id, agent.agent_type_id, t.key, case when n <= 4 then 3 else 1 end, case when n <= 4 then 1 else 0 end,
        50, case when n <= 4 then agent.key end, case when n <= 4 then 4711 end, case when n <= 4 then now() end,
        case when n <= 4 then now() + interval '5 minutes' end
      from agent, event_types t, generate_series(1, 12) n where t.event_type_name = 'Reboot' returning key, event_status),
    history as (
      insert into event_transitions (event_id, from_status, to_status, cause, attempt_number)
      select key, null::smallint, 1::smallint, 'enqueued', 0 from event
      union all select key, 1::smallint, 2::smallint, 'taken', 1 from event where event_status = 3
      union all select key, 2::smallint, 3::smallint, 'reported', 1 from event where event_status = 3),
    file as (
      insert into files (device_id, filename, file_size, content_type, file_status, duration_ms, bitrate, available_date)
      select device.key, 'dawn.wav', ${wavBytes}, 'audio/wav', 1, 500, 128000, now()
      from device, generate_series(1, 4) n returning key),
    waiting as (
      insert into files (device_id, filename, file_size, content_type)
      select device.key, 'dusk.wav', ${wavBytes}, 'audio/wav' from device returning key),
    upload_file as (
      insert into files (device_id, filename, file_size, content_type)
      select device.key, 'noon.wav', ${wavBytes}, 'application/octet-stream' from device, generate_series(1, 2) n
      returning key, device_id),
    upload as (
      insert into uploads (user_id, device_id, file_id, upload_size, metadata, start_ms)
      select ${adminID}::bigint, device_id, key, ${wavBytes}, '', ${clipStartMs}::bigint from upload_file returning key),
    clip as (
      insert into audio_clips (device_id, audio_clip_type_id, start_ms, end_ms, audio_clip_status, file_id)
      select device.key, 0, ${clipStartMs}::bigint + 1000 * f.place, ${clipStartMs}::bigint + 1000 * f.place + 500, 3, f.key
      from device, (select key, row_number() over (order by key) as place from file) f where f.place > 1
      returning key, device_id, start_ms),
    tag as (
      insert into tags (tag_name) values (${name}) returning key),
    clip_tag as (
      insert into audio_clip_tags (audio_clip_id, device_id, tag_id, clip_start_ms, offset_ms)
      select clip.key, clip.device_id, tag.key, clip.start_ms, 0 from clip, tag returning key),
    former_file as (
      insert into files (device_id, filename, file_size, content_type, file_status, duration_ms, bitrate, available_date,
        is_former, sweep_date)
      select device.key, 'night.wav', ${wavBytes}, 'audio/wav', 1, 500, 128000, now(), true, now() + interval '7 days'
      from device, generate_series(1, 3) n returning key),
    clip_version as (
      insert into clip_versions (audio_clip_id, device_id, file_id, start_ms, end_ms)
      select clip.key, clip.device_id, f.key, clip.start_ms, clip.start_ms + 500
      from (select key, device_id, start_ms, row_number() over (order by key) as place from clip) clip
      join (select key, row_number() over (order by key) as place from former_file) f on f.place = clip.place
      returning key),
    version as (
      insert into caption_versions (audio_clip_id, version, origin, transcript, segments, is_timed, is_language_known)
      select key, 1, 'hand', ${firstTranscript}, '[]', true, true from clip),
    caption as (
      insert into captions (audio_clip_id, device_id, transcript) select key, device_id, ${firstTranscript}::text from clip),
    collection as (
      insert into collections (user_id, collection_name, member_access)
      select key, 'Quay', 'write' from guest returning key, user_id),
    item as (
      insert into collection_items (collection_id, device_id, member_id, file_id, user_id, placed_by_admin)
      select c.key, device.key, null::bigint, null::bigint, ${adminID}::bigint, true from collection c, device
      union all select c.key, null, c.user_id, null, c.user_id, false from collection c
      union all select c.key, null, null, file.key, ${adminID}, true from collection c, file
      returning key),
    team as (insert into teams (team_name) select 'North' from generate_series(1, 2) n returning key),
    team_person as (
      insert into team_people (team_id, user_id) select t.key, u.key from team t, (
        select key from guest union all select ${adminID}::bigint) u
      returning team_id, user_id),
    team_duty as (
      insert into team_duties (team_id, user_id, duty_time)
      select team_id, user_id, '{"days":[],"from":"08:00","to":"18:00"}' from team_person),
    team_place as (insert into collection_teams (collection_id, team_id) select c.key, t.key from collection c, team t),
    preset as (
      insert into event_presets (user_id, event_preset_name, device_id, device_group_id, agent_type_id, event_type_id)
      select ${adminID}::bigint, 'Restart', device.key, null::bigint, t.agent_type_id, t.key from device, event_types t
      where t.event_type_name = 'Restart_agents'
      union all select ${adminID}, 'Restart all', null, c.key, t.agent_type_id, t.key from collection c, event_types t
      where t.event_type_name = 'Restart_agents' returning key),
    report as (
      insert into device_health (device_id, health_date, health_json, latitude, longitude)
      select device.key, now() - n * interval '1 minute', '{}', 47, 8 from device, generate_series(1, 4) n returning key),
    line as (
      insert into log_messages (device_id, level, message, message_date)
      select device.key, 'info', 'started', now() from device, generate_series(1, 4) n returning key),
    position as (
      insert into device_positions (device_id, latitude, longitude, source, position_date)
      select key, 47, 8, 'health', now() - interval '1 day' from device),
    setting as (
      insert into device_settings (device_id, setting_name, wanted_value, reported_value)
      select key, 'volume', '75', '60' from device),
    release as (
      insert into agent_releases (sha256, program, version, file_size) values (${exampleHash}, 'agent', '0.1.0', 1)
      on conflict do nothing),
    rollout as (
      insert into rollouts (user_id, sha256, state, stages, most_failures, timeout_seconds)
      select ${adminID}::bigint, ${exampleHash}, 'stopped', '{50,100}', 0, 3600 from generate_series(1, 2)
      returning key),
    preset_of_rule as (
      insert into event_presets (user_id, agent_type_id, event_type_id)
      select ${adminID}::bigint, t.agent_type_id, t.key from event_types t where t.event_type_name = 'Start_recording'
      returning key),
    rule as (
      insert into rules (user_id, rule_name, is_enabled, severity, definition)
      select ${adminID}::bigint, 'Owls', true, 'info', jsonb_set(
        '{"when":{"words":"owl"},"activeTimes":[],"groupSeconds":300,"mostPerHour":10,"quietedBy":[]}'::jsonb, '{actions}',
        jsonb_build_array(jsonb_build_object('action', 'runPreset', 'eventPresetID', key)))
      from preset_of_rule, generate_series(1, 2) returning *),
    rule_version as (
      insert into rule_versions (rule_id, version, rule_name, is_enabled, severity, definition, changed_by, change_date)
      select key, version, rule_name, is_enabled, severity, definition, user_id, change_date from rule),
    rule_match as (
      insert into rule_matches (rule_id, rule_version, audio_clip_id, device_id, start_ms)
      select min(rule.key), 1, -1, min(device.key), 1000000 from rule, device returning *),
    alert as (
      insert into alerts (rule_id, rule_version, device_id, severity, first_ms, last_ms)
      select rule_id, 1, device_id, 'info', start_ms, start_ms from rule_match returning key),
    alert_match as (insert into alert_matches (match_id, alert_id) select rule_match.key, alert.key from rule_match, alert),
    rollout_device as (
      insert into rollout_devices (rollout_id, device_id, stage) select rollout.key, device.key, 0 from rollout, device),
    readiness as (
      insert into device_readiness (device_id, ready_date, event_preset_id)
      select device.key, now(), (select min(key) from preset) from device),
    api_key as (
      insert into api_keys (user_id, device_id, access_key, secret_key)
      select guest.key, null::bigint, ${name.replaceAll('-', '')}, ''::bytea from guest
      union all select guest.key, device.key, ${`d${name.replaceAll('-', '')}`}, ''::bytea from guest, device
      returning key),
    upload_key as (
      insert into upload_keys (user_id, transcribe, secret_hash)
      values (${adminID}, true, ${hashToken(uploadSecret(name))}) returning key),
    upload_source as (
      insert into upload_key_devices (upload_key_id, source, device_id)
      select upload_key.key, ${recorderSource}, device.key from upload_key, device),
    session as (
      insert into sessions (user_id, token_hash, expiration_date)
      select guest.key, decode(t.hash, 'hex'), now() + interval '1 day'
      from guest, unnest(${tokens.map((token) => hashToken(token).toString('hex'))}::text[]) as t (hash)
      returning key),
    channel as (
      insert into channels (user_id, channel_name, kind) select key, 'Told', 'webhook' from guest, generate_series(1, 2)
      returning key),
    subscription as (
      insert into subscriptions (user_id, channel_id, changes, xid, change_key)
      select guest.key, channel.key, '{device.online}', '0', 0 from guest, channel returning key),
    delivery as (
      insert into deliveries (channel_id, alert_id, kind, state) select channel.key, alert.key, 'alert', 'delivered'
      from channel, alert),
    bulk_job as (
      -- Another node seems to work on it. The admin, who calls, may have only so many that have not ended.
      insert into bulk_jobs (user_id, action, record_keys, record_names, total, node, held_until)
      select guest.key, 'delete', '{0}', '{gone}', 1, gen_random_uuid(), now() + interval '1 day'
      from guest, generate_series(1, 2) n returning key),
    search as (
      insert into saved_searches (user_id, search_name, search) select key, 'Owls', '{"searchText":"owl"}' from guest
      returning key)
    select (select key from device) as "deviceID", (select key from guest) as "guestID",
      (select key from waiting) as "waitingFileID", (select key from other_device) as "otherDeviceID",
      (select array_agg(key) from agent) as agent, (select array_agg(key order by key) from event) as event,
      (select array_agg(key order by key) from file) as file, (select array_agg(key order by key) from clip) as audioclip,
      (select array_agg(key order by key) from clip_version) as audioclipversion,
      (select array_agg(key order by key) from clip_tag) as audiocliptag, (select array_agg(key) from collection) as collection,
      (select array_agg(key order by key) from item) as collectionitem, (select array_agg(key order by key) from preset) as eventpreset,
      (select array_agg(key order by key desc) from api_key) as apikey, (select array_agg(key order by key desc) from session) as session,
      (select array_agg(key order by key) from rollout) as rollout,
      (select array_agg(key order by key) from rule) as rule, (select array_agg(key) from alert) as alert,
      (select array_agg(key order by key) from team) as team, (select array_agg(key order by key) from bulk_job) as bulkjob,
      (select array_agg(key) from search) as savedsearch, (select array_agg(key) from upload_key) as uploadkey,
      (select array_agg(key order by key) from channel) as channel,
      (select array_agg(key order by key) from subscription) as subscription,
      (select array_agg(key order by key) from upload) as upload,
      (select array_agg(key order by key) from report) as devicehealth,
      (select array_agg(key order by key) from line) as logmessage`;
  if (!made) throw new Error('the records were not created');
  const { deviceID, guestID, waitingFileID, otherDeviceID, ...keys } = made;
  return {
    deviceID,
    deviceSerial: name,
    keys: { ...keys, caption: keys.audioclip, device: [deviceID], user: [guestID], teamname: keys.team },
    guestID,
    otherDeviceID,
    guestCookies: tokens.map((token) => `${sessionCookie}=${token}`),
    waitingFileID,
  };
}

type Made = Record<Exclude<RecordKind, 'caption' | 'device' | 'teamname' | 'user'>, number[]> & {
  readonly deviceID: number;
  readonly guestID: number;
  readonly waitingFileID: number;
  readonly otherDeviceID: number;
};
