import type { Pool } from '@earshot/server/platform/database/connect';
import type { Records } from './records.ts';
import type { Deed } from './writers.ts';

/** Returns the violations of the rules that must hold after any concurrent operations. */
export async function brokenInvariants(db: Pool, records: Records, deeds: readonly Deed[]): Promise<readonly string[]> {
  return [
    ...(await brokenHistories(db, records)),
    ...(await wrongHolders(db, records, deeds)),
    ...(await lostFields(db, records, deeds)),
    ...(await orphans(db, records)),
  ];
}

/**
 * Each row of a history begins with the status in which the previous one ended, and the last one ends with the event's
 * status.
 */
async function brokenHistories(db: Pool, { deviceID }: Records): Promise<readonly string[]> {
  const rows = await db<{ key: number }[]>`
    select distinct e.key from events e join lateral (
      select t.from_status, t.to_status, lag(t.to_status) over (order by t.key) as former,
        lead(t.to_status) over (order by t.key) as next
      from event_transitions t where t.event_id = e.key) t on true
    where e.device_id = ${deviceID}
      and (t.from_status is distinct from t.former or (t.next is null and t.to_status <> e.event_status))`;
  return rows.map(({ key }) => `the history of event ${key} is broken`);
}

/** A held event has one holder and a lease, any other has neither; the response to each take went to one caller. */
async function wrongHolders(db: Pool, { deviceID }: Records, deeds: readonly Deed[]): Promise<readonly string[]> {
  const rows = await db<{ key: number; isSound: boolean; takes: number }[]>`
    select e.key,
      case when e.event_status in (2, 3) then e.lease_end_date is not null and e.attempt_number > 0
        else e.lease_end_date is null end as "isSound",
      (select count(*)::int from event_transitions t where t.event_id = e.key and t.cause = 'taken'
        and t.user_id is not null) as takes
    from events e where e.device_id = ${deviceID}`;
  const answered = new Map<number, number>();
  for (const { writer, status, json } of deeds) {
    if (writer !== 'dequeueEvent' || status !== 200 || !json) continue;
    const { key } = json as { key: number };
    answered.set(key, (answered.get(key) ?? 0) + 1);
  }
  return rows.flatMap(({ key, isSound, takes }) => [
    ...(isSound ? [] : [`event ${key} is held without a lease, or has a lease and no holder`]),
    ...(takes === (answered.get(key) ?? 0)
      ? []
      : [`event ${key} was taken ${takes} times, answered ${answered.get(key) ?? 0}`]),
  ]);
}

/** A field that callers wrote has a value whose write was acknowledged. */
async function lostFields(db: Pool, records: Records, deeds: readonly Deed[]): Promise<readonly string[]> {
  const written = new Map<string, Set<string>>();
  for (const { wrote, status } of deeds) {
    if (!wrote || status >= 300) continue;
    written.set(wrote.field, (written.get(wrote.field) ?? new Set()).add(wrote.value));
  }
  const faults: string[] = [];
  for (const [field, values] of written) {
    const [table = '', column = ''] = field.split('.');
    const { keyColumn, keys } = rowsOf(records, table);
    const rows = await db<{ value: string | null }[]>`
      select ${db(column)} as value from ${db(table)} where ${db(keyColumn)} = any(${keys as number[]}::bigint[])`;
    // Several records share the field: each written record has the value of some caller.
    if (rows.length > 0 && !rows.some(({ value }) => value !== null && values.has(value)))
      faults.push(`${field} lost every value that was acknowledged`);
  }
  return faults;
}

function rowsOf({ keys, deviceID, guestID }: Records, table: string) {
  const tables: Readonly<Record<string, readonly number[]>> = {
    agents: keys.agent,
    devices: [deviceID],
    collections: keys.collection,
    users: [guestID],
    audio_clips: keys.audioclip,
    captions: keys.audioclip,
    event_presets: keys.eventpreset,
    channels: keys.channel,
    saved_searches: keys.savedsearch,
    device_settings: [deviceID],
  };
  const keyColumns: Readonly<Record<string, string>> = { captions: 'audio_clip_id', device_settings: 'device_id' };
  return { keyColumn: keyColumns[table] ?? 'key', keys: tables[table] ?? [] };
}

/** Files that nothing uses and no sweep will check; history, tags and captions without their record. */
async function orphans(db: Pool, { deviceID, keys }: Records): Promise<readonly string[]> {
  const files = await db<{ key: number }[]>`
    select f.key from files f where f.device_id = ${deviceID} and f.file_status = 1 and f.sweep_date is null
      and f.key <> ${keys.file[0] ?? 0}
      and not exists (select 1 from audio_clips c where c.file_id = f.key)
      and not exists (select 1 from collection_items i where i.file_id = f.key)`;
  const history = await db<{ key: number }[]>`
    select distinct t.event_id as key from event_transitions t
    where t.event_id = any(${keys.event as number[]}::bigint[]) and not exists (select 1 from events e where e.key = t.event_id)`;
  const left = await db<{ left: number }[]>`
    select 1 as left where not exists (select 1 from devices where key = ${deviceID}) and (
      exists (select 1 from audio_clip_tags where device_id = ${deviceID})
      or exists (select 1 from clip_versions where device_id = ${deviceID})
      or exists (select 1 from captions where device_id = ${deviceID})
      or exists (select 1 from caption_search where device_id = ${deviceID})
      or exists (select 1 from device_health where device_id = ${deviceID})
      or exists (select 1 from log_messages where device_id = ${deviceID})
      or exists (select 1 from device_settings where device_id = ${deviceID}))`;
  return [
    ...files.map(({ key }) => `nothing uses file ${key}, and no sweep will check it`),
    ...history.map(({ key }) => `the history of event ${key} exists without the event`),
    ...left.map(() => 'tags, captions or reports exist without their device'),
  ];
}
