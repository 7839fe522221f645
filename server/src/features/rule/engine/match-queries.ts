import type { Db } from '../../../platform/database/connect.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';
import type { Satisfying } from '../trial/collect.ts';

/** A clip that a rule has found. */
export interface RuleMatchPlace {
  readonly ruleID: number;
  readonly audioClipID: number;
  readonly deviceID: number;
  readonly startMs: number;
}

/** The matches of these clips that are not withdrawn. */
export async function findMatchesOfClips(tx: Db, clips: readonly number[]): Promise<RuleMatchPlace[]> {
  return tx<RuleMatchPlace[]>`
    select rule_id as "ruleID", audio_clip_id as "audioClipID", device_id as "deviceID", start_ms as "startMs"
    from rule_matches where audio_clip_id = any(${clips as number[]}::bigint[]) and not is_withdrawn`;
}

/** The rules of those given that have matches in the windows behind a place, `withinMs` long each. */
export async function findRulesBehind(
  tx: Db,
  rules: readonly { readonly key: number; readonly withinMs: number; readonly isAcross: boolean }[],
  places: readonly { readonly deviceID: number; readonly startMs: number }[],
): Promise<{ ruleID: number; deviceID: number; startMs: number }[]> {
  if (rules.length === 0) return [];
  return tx`
    select r.key as "ruleID", p.device_id as "deviceID", p.start_ms as "startMs"
    from unnest(${rules.map(({ key }) => key)}::bigint[], ${rules.map(({ withinMs }) => withinMs)}::bigint[],
      ${rules.map(({ isAcross }) => Number(isAcross))}::int[]) r (key, within_ms, is_across)
    cross join (
      select distinct * from unnest(${places.map(({ deviceID }) => deviceID)}::bigint[],
        ${places.map(({ startMs }) => startMs)}::bigint[]) p (device_id, start_ms)) p
    where exists (
      select 1 from rule_matches m where m.rule_id = r.key and m.start_ms >= p.start_ms
        and m.start_ms < p.start_ms + r.within_ms and (r.is_across = 1 or m.device_id = p.device_id) and not m.is_withdrawn)`;
}

/** The matches of a rule that begin in the range, of these devices, or of all. */
export async function findMatchesBetween(
  tx: Db,
  ruleID: number,
  devices: readonly number[] | undefined,
  fromMs: number,
  toMs: number,
): Promise<RuleMatchPlace[]> {
  return tx<RuleMatchPlace[]>`
    select rule_id as "ruleID", audio_clip_id as "audioClipID", device_id as "deviceID", start_ms as "startMs"
    from rule_matches where rule_id = ${ruleID} and start_ms >= ${fromMs}::bigint and start_ms < ${toMs}::bigint
      and not is_withdrawn
      ${devices ? tx`and device_id = any(${devices as number[]}::bigint[])` : tx``}`;
}

/** A match as it is stored; without a clip it is a span of a state. */
export interface StoredMatch extends Omit<RuleMatchPlace, 'audioClipID'> {
  readonly key: number;
  readonly audioClipID: number | null;
  readonly endMs: number | null;
}

export interface FoundMatch extends Satisfying {
  readonly ruleID: number;
  readonly version: number;
}

/** Writes the matches; one that was withdrawn is there again. Returns those that are new, there again, or at another place. */
export async function putMatches(tx: Db, found: readonly FoundMatch[]): Promise<(StoredMatch & RuleMatchPlace)[]> {
  if (found.length === 0) return [];
  return tx<(StoredMatch & RuleMatchPlace)[]>`
    with written as (
      insert into rule_matches as m (rule_id, rule_version, audio_clip_id, device_id, start_ms, end_ms)
      select f.* from unnest(
        ${found.map(({ ruleID }) => ruleID)}::bigint[], ${found.map(({ version }) => version)}::int[],
        ${found.map(({ key }) => key)}::bigint[], ${found.map(({ deviceID }) => deviceID)}::bigint[],
        ${found.map(({ startMs }) => startMs)}::bigint[], ${found.map(({ endMs }) => endMs ?? null)}::bigint[])
        as f (rule_id, version, clip_id, device_id, start_ms, end_ms)
      order by f.rule_id, f.clip_id
      on conflict (rule_id, audio_clip_id) do update set device_id = excluded.device_id, start_ms = excluded.start_ms,
        end_ms = excluded.end_ms, is_withdrawn = false, withdrawn_date = null,
        rule_version = case when m.is_withdrawn then excluded.rule_version else m.rule_version end,
        judged_date = case when m.is_withdrawn then clock_timestamp() else m.judged_date end
      where m.is_withdrawn
        or (m.device_id, m.start_ms) <> (excluded.device_id, excluded.start_ms) or m.end_ms is distinct from excluded.end_ms
      returning m.*, m.xmax = 0 as is_new),
    logged as (${recordChanges(tx, {
      kind: 'rulematch',
      change: tx`case when r.is_new then 'created' else 'changed' end`,
      rows: tx`written`,
    })})
    select key, rule_id as "ruleID", audio_clip_id as "audioClipID", device_id as "deviceID", start_ms as "startMs",
      end_ms as "endMs"
    from written`;
}

/** Returns the keys of those that held until now. */
export async function withdrawMatches(
  tx: Db,
  gone: readonly { readonly ruleID: number; readonly audioClipID: number }[],
): Promise<number[]> {
  if (gone.length === 0) return [];
  const rows = await tx<{ key: number }[]>`
    with withdrawn as (
    update rule_matches m set is_withdrawn = true, withdrawn_date = clock_timestamp()
    from unnest(${gone.map(({ ruleID }) => ruleID)}::bigint[], ${gone.map(({ audioClipID }) => audioClipID)}::bigint[])
      as g (rule_id, clip_id)
    where m.rule_id = g.rule_id and m.audio_clip_id = g.clip_id and not m.is_withdrawn
    returning m.key, m.device_id),
    logged as (${recordChanges(tx, { kind: 'rulematch', change: 'changed', rows: tx`withdrawn` })})
    select key from withdrawn`;
  return rows.map(({ key }) => key);
}
