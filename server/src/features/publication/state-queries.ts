import type { RuleSeverity } from '@earshot/contract/rule';
import { deviceRight } from '../../access.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceState } from '../device/public.ts';

/** What is published of a device. It has no words. */
export interface PublishedDevice {
  readonly key: number;
  readonly name: string | null;
  readonly serial: string | null;
  readonly softwareVersion: string | null;
  readonly state: string;
  readonly batteryPercent: number | null;
  /** Of the newest clip that was measured, among the newest ones. */
  readonly levelDb: number | null;
  /** The one that was put last to the newest sound with a tag, among the newest ones. */
  readonly tagName: string | null;
  /** The newest open alert of the publisher's rules. Silent ones are left out. */
  readonly alert: { readonly ruleName: string; readonly severity: RuleSeverity; readonly startMs: number } | null;
}

/** Only so many of the newest clips and alerts are looked at, so that a device without levels, tags or open alerts costs little. */
const mostNewest = 50;

/** The devices that the publisher has published and may decide about, as they are now. */
export async function findPublishedDevices(db: Db, publisher: Caller): Promise<PublishedDevice[]> {
  return db<PublishedDevice[]>`
    select d.key, d.device_name as name, d.device_serial as serial, s.software_version as "softwareVersion",
      ${deviceState(db)} as state, s.battery_percent as "batteryPercent", level.db as "levelDb", tag.name as "tagName",
      case when alert.name is not null then
        json_build_object('ruleName', alert.name, 'severity', alert.severity, 'startMs', alert.first_ms) end as alert
    from published_devices p join devices d on d.key = p.device_id join device_summaries s on s.device_id = d.key
    left join lateral (
      select f.level_db as db from (
        select key, start_ms from audio_clips where device_id = d.key order by start_ms desc, key desc limit ${mostNewest}) c
      join clip_facts f on f.audio_clip_id = c.key
      where f.level_db is not null order by c.start_ms desc, c.key desc limit 1) level on true
    left join lateral (
      select n.tag_name as name from (
        select key, start_ms from audio_clips where device_id = d.key order by start_ms desc, key desc limit ${mostNewest}) c
      join audio_clip_tags t on t.audio_clip_id = c.key join tags n on n.key = t.tag_id
      order by c.start_ms desc, c.key desc, t.offset_ms desc, t.key desc limit 1) tag on true
    left join lateral (
      select r.rule_name as name, a.severity, a.first_ms from (
        select * from alerts where device_id = d.key order by first_ms desc, key desc limit ${mostNewest}) a
      join rules r on r.key = a.rule_id
      where a.state = 'open' and a.silence is null and r.user_id = ${publisher.userID}
      order by a.first_ms desc, a.key desc limit 1) alert on true
    where p.published_by = ${publisher.userID} and ${deviceRight(db, publisher, 'own')} order by d.key`;
}
