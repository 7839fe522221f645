import type { Pool } from '@earshot/server/platform/database/connect';
import type { Key } from './inserts.ts';
import { only } from './inserts.ts';

/** A rule of the person, with its first version. */
export async function insertRule(db: Pool, userID: number): Promise<Key> {
  const definition = {
    when: { words: 'owl' },
    activeTimes: [],
    groupSeconds: 300,
    mostPerHour: 10,
    quietedBy: [],
    actions: [],
  };
  return only(
    await db<Key[]>`
      with rule as (
        insert into rules (user_id, rule_name, is_enabled, severity, definition, created_by)
        values (${userID}, 'Owls', true, 'info', ${JSON.stringify(definition)}::text::jsonb, ${userID})
        returning *),
      version as (
        insert into rule_versions (rule_id, version, rule_name, is_enabled, severity, definition, changed_by, change_date)
        select key, version, rule_name, is_enabled, severity, definition, user_id, change_date from rule),
      recipient as (insert into rule_recipients (rule_id, user_id) select key, user_id from rule)
      select key from rule`,
  );
}

/** An alert of a rule of the person, with one match of the device. */
export async function insertAlert(db: Pool, userID: number, deviceID: number): Promise<Key> {
  const { key: ruleID } = await insertRule(db, userID);
  return only(
    await db<Key[]>`
      with match as (
        insert into rule_matches (rule_id, rule_version, audio_clip_id, device_id, start_ms)
        values (${ruleID}, 1, -1, ${deviceID}, 1000000) returning key),
      alert as (
        insert into alerts (rule_id, rule_version, device_id, severity, first_ms, last_ms)
        values (${ruleID}, 1, ${deviceID}, 'info', 1000000, 1000000) returning key),
      joined as (insert into alert_matches (match_id, alert_id) select match.key, alert.key from match, alert)
      select key from alert`,
  );
}
