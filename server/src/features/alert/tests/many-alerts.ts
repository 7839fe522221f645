import { gramsOf } from '@earshot/server/features/caption-index/grams';
import type { Db } from '../../../platform/database/connect.ts';

const said = ' the structure fire is out ';

/** As many alerts of the rule as given, each with a clip that says the words and an entry in the bell of its owner; one a minute. */
export async function insertAlerts(
  db: Db,
  at: { readonly ruleID: number; readonly deviceID: number; readonly userID: number; readonly lastMs: number },
  count: number,
): Promise<void> {
  const { ruleID, deviceID, userID, lastMs } = at;
  await db`
    with named as (insert into tags (tag_name) values ('fire bell') returning key),
    sound as (
      insert into files (device_id, filename, file_size, content_type, file_status)
      values (${deviceID}, 'x.wav', 1, 'audio/wav', 1) returning key),
    clips as (
      insert into audio_clips (device_id, start_ms, end_ms, audio_clip_status, file_id)
      select ${deviceID}, ${lastMs}::bigint - n * 60000, ${lastMs}::bigint - n * 60000 + 5000, 3, sound.key
      from sound, generate_series(0, ${count - 1}) n returning key, start_ms, end_ms),
    heard as (
      insert into captions (audio_clip_id, device_id, transcript)
      select key, ${deviceID}, 'The structure fire is out.' from clips),
    searched as (
      insert into caption_search (audio_clip_id, device_id, start_ms, text, grams)
      select key, ${deviceID}, start_ms, ${said}, ${`{${gramsOf(said).join(',')}}`}::integer[] from clips),
    tagged as (
      insert into audio_clip_tags (audio_clip_id, device_id, tag_id, clip_start_ms, offset_ms)
      select clips.key, ${deviceID}, named.key, start_ms, 0 from clips, named),
    versions as (
      insert into caption_versions (audio_clip_id, version, origin, transcript, segments, is_timed, is_language_known)
      select key, 1, 'engine', 'The structure fire is out.', '[]', true, true from clips),
    matches as (
      insert into rule_matches (rule_id, rule_version, audio_clip_id, device_id, start_ms, end_ms)
      select ${ruleID}, 1, key, ${deviceID}, start_ms, end_ms from clips returning key, start_ms),
    alerts as (
      insert into alerts (rule_id, rule_version, device_id, severity, first_ms, last_ms, told_date, is_decided)
      select ${ruleID}, 1, ${deviceID}, 'warning', start_ms, start_ms, now(), true from matches order by start_ms
      returning key, first_ms),
    grouped as (
      insert into alert_matches (match_id, alert_id)
      select m.key, a.key from alerts a join matches m on m.start_ms = a.first_ms)
    insert into bell_entries (user_id, kind, rule_id, alert_id)
    select ${userID}, 'alert', ${ruleID}, key from alerts order by key`;
  await db`delete from clips_to_judge`;
}
