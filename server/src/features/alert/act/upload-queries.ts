import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Db } from '../../../platform/database/connect.ts';

export interface UploadStretch {
  readonly alertID: number;
  readonly actionNumber: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Sound that is on the device; what is here or asked for needs nothing. */
const onDevice = [audioClipStatus.onDevice, audioClipStatus.uploadFailed];

/** The clips in the stretch whose sound is still on one of the devices, with their devices. */
export async function findClipsOnDevices(
  tx: Db,
  devices: readonly number[],
  { fromMs, toMs }: UploadStretch,
): Promise<{ key: number; deviceID: number }[]> {
  return tx`
    select c.key, c.device_id as "deviceID" from devices d cross join lateral (
      select c.key, c.device_id from audio_clips c
      where c.device_id = d.key and c.start_ms < ${toMs}::bigint
        and c.start_ms >= ${fromMs}::bigint - coalesce(d.longest_clip_ms, 0)
        and coalesce(c.end_ms, c.start_ms) >= ${fromMs}::bigint and c.audio_clip_status = any(${onDevice}::int[])) c
    where d.key = any(${devices as number[]}::bigint[]) order by c.device_id, c.key`;
}

/** Clips of the stretch that are announced later are asked for too, for so many hours. */
export async function keepRequests(
  tx: Db,
  devices: readonly number[],
  { alertID, actionNumber, fromMs, toMs }: UploadStretch,
  hours: number,
): Promise<void> {
  await tx`
    insert into alert_upload_requests (alert_id, action_number, device_id, from_ms, to_ms, until)
    select ${alertID}::bigint, ${actionNumber}::smallint, d.key, ${fromMs}::bigint, ${toMs}::bigint,
      now() + make_interval(hours => ${hours})
    from devices d where d.key = any(${devices as number[]}::bigint[]) order by d.key`;
}

export interface AskedClip {
  readonly alertID: number;
  readonly actionNumber: number;
  readonly ruleID: number;
  readonly ownerID: number;
  readonly deviceID: number;
  readonly clips: readonly number[];
}

/** Those of the changed clips that an alert asked for before they were announced. */
export async function findAskedClips(tx: Db, clips: readonly number[]): Promise<AskedClip[]> {
  if (clips.length === 0) return [];
  return tx<AskedClip[]>`
    select q.alert_id as "alertID", q.action_number as "actionNumber", a.rule_id as "ruleID", r.user_id as "ownerID",
      c.device_id as "deviceID", array_agg(c.key order by c.key) as clips
    from audio_clips c join lateral (
      select distinct on (q.device_id) q.* from alert_upload_requests q
      where q.device_id = c.device_id and q.to_ms > c.start_ms and q.from_ms <= coalesce(c.end_ms, c.start_ms)
        and q.until > now() order by q.device_id, q.key) q on true
    join alerts a on a.key = q.alert_id join rules r on r.key = a.rule_id
    where c.key = any(${clips as number[]}::bigint[]) and c.audio_clip_status = any(${onDevice}::int[])
      and not exists (select 1 from rule_uploads w where w.audio_clip_id = c.key)
    group by q.alert_id, q.action_number, a.rule_id, r.user_id, c.device_id order by c.device_id`;
}

/** Removes requests whose time is over, and returns their number. */
export async function removeOldRequests(db: Db, most: number): Promise<number> {
  const rows = await db`
    delete from alert_upload_requests where key = any(array(
      select key from alert_upload_requests where until < now() order by until limit ${most} for update skip locked))
    returning 1`;
  return rows.length;
}
