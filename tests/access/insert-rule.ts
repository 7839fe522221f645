import type { Pool } from '@earshot/server/platform/database/connect';
import type { Key } from './inserts.ts';
import { only } from './inserts.ts';

/**
 * A rule of the person, with its first version. It runs a preset that an admin must allow, whose content has the hash of the
 * example in the contract.
 */
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
      with preset as (
        insert into event_presets (user_id, agent_type_id, event_type_id)
        select ${userID}, agent_type_id, key from event_types where event_type_name = 'Start_recording' returning key),
      rule as (
        insert into rules (user_id, rule_name, is_enabled, severity, definition, created_by)
        select ${userID}, 'Owls', true, 'info', jsonb_set(${JSON.stringify(definition)}::text::jsonb, '{actions}',
          jsonb_build_array(jsonb_build_object('action', 'runPreset', 'eventPresetID', key))), ${userID}
        from preset returning *),
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
