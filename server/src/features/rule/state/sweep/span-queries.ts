import { recordChanges } from '../../../../platform/changes/record-changes.ts';
import type { Db } from '../../../../platform/database/connect.ts';
import type { StoredMatch } from '../../engine/match-queries.ts';
import type { SpanChange, StoredSpan } from '../core/reconcile.ts';

export interface StoredSpanOfDevice extends StoredSpan {
  readonly ruleID: number;
  readonly deviceID: number;
}

/** The matches of these rules on these devices that hold and go on, or that ended after this time. */
export async function findStoredSpans(
  tx: Db,
  rules: readonly number[],
  devices: readonly number[],
  fromMs: number,
): Promise<StoredSpanOfDevice[]> {
  return tx<StoredSpanOfDevice[]>`
    select m.key, m.rule_id as "ruleID", m.device_id as "deviceID", m.start_ms as "startMs", m.end_ms as "endMs"
    from unnest(${rules as number[]}::bigint[]) r (key) cross join unnest(${devices as number[]}::bigint[]) d (key)
    join rule_matches m on m.rule_id = r.key and m.device_id = d.key and m.audio_clip_id is null and not m.is_withdrawn
      and (m.end_ms is null or m.end_ms > ${fromMs}::bigint)
    order by m.start_ms, m.key`;
}

export interface NewSpan extends SpanChange {
  readonly ruleID: number;
  readonly version: number;
  readonly deviceID: number;
}

export async function insertSpans(tx: Db, spans: readonly NewSpan[]): Promise<StoredMatch[]> {
  if (spans.length === 0) return [];
  return tx<StoredMatch[]>`
    with written as (
      insert into rule_matches (rule_id, rule_version, device_id, start_ms, end_ms)
      select * from unnest(
        ${spans.map(({ ruleID }) => ruleID)}::bigint[], ${spans.map(({ version }) => version)}::int[],
        ${spans.map(({ deviceID }) => deviceID)}::bigint[], ${spans.map(({ startMs }) => startMs)}::bigint[],
        ${spans.map(({ endMs }) => endMs)}::bigint[])
      returning *),
    logged as (${recordChanges(tx, { kind: 'rulematch', change: 'created', rows: tx`written` })})
    select key, rule_id as "ruleID", audio_clip_id as "audioClipID", device_id as "deviceID", start_ms as "startMs",
      end_ms as "endMs"
    from written`;
}

export async function changeSpans(tx: Db, spans: readonly (StoredSpan & SpanChange)[]): Promise<StoredMatch[]> {
  if (spans.length === 0) return [];
  return tx<StoredMatch[]>`
    with written as (
      update rule_matches m set start_ms = n.start_ms, end_ms = n.end_ms, judged_date = clock_timestamp()
      from unnest(${spans.map(({ key }) => key)}::bigint[], ${spans.map(({ startMs }) => startMs)}::bigint[],
        ${spans.map(({ endMs }) => endMs)}::bigint[]) n (key, start_ms, end_ms)
      where m.key = n.key returning m.*),
    logged as (${recordChanges(tx, { kind: 'rulematch', change: 'changed', rows: tx`written` })})
    select key, rule_id as "ruleID", audio_clip_id as "audioClipID", device_id as "deviceID", start_ms as "startMs",
      end_ms as "endMs"
    from written`;
}

export async function withdrawSpans(tx: Db, keys: readonly number[]): Promise<void> {
  if (keys.length === 0) return;
  await tx`
    with withdrawn as (
      update rule_matches m set is_withdrawn = true, withdrawn_date = clock_timestamp()
      where m.key = any(${keys as number[]}::bigint[]) returning m.key, m.device_id)
    ${recordChanges(tx, { kind: 'rulematch', change: 'changed', rows: tx`withdrawn` })}`;
}

/** Of these devices, with the keys that exist. */
export async function findTimeZones(tx: Db, devices: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
  const rows = await tx<{ key: number; timeZone: string | null }[]>`
    select key, time_zone as "timeZone" from devices where key = any(${devices as number[]}::bigint[])`;
  return new Map(rows.map(({ key, timeZone }) => [key, timeZone]));
}

export async function findChangeTimes(tx: Db, rules: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await tx<{ key: number; changeMs: number }[]>`
    select key, floor(extract(epoch from change_date) * 1000)::bigint as "changeMs" from rules
    where key = any(${rules as number[]}::bigint[])`;
  return new Map(rows.map(({ key, changeMs }) => [key, changeMs]));
}
