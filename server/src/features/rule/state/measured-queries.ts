import type { Db, Fragment } from '../../../platform/database/connect.ts';
import { deviceContact } from '../../device/public.ts';
import type { ContactOfDevice } from './core/contact.ts';
import { msPerHour } from './core/durations.ts';
import type { HealthOfDevice } from './core/health.ts';
import { reportCountsMs } from './core/health.ts';
import type { StateSpan } from './core/spans.ts';

/*
 * What is stored about devices, from a time on. Of what began before, as much is read as decides about that time: the begin of what
 * went on then, contact of the day before the last, reports that still counted, and failures that still did.
 */

/** Null: it goes on. */
interface StoredSpan {
  readonly startMs: number;
  readonly endMs: number | null;
}

const asSpan = ({ startMs, endMs }: StoredSpan): StateSpan => ({ startMs, endMs: endMs ?? Infinity });

const ms = (db: Db, column: Fragment): Fragment => db`floor(extract(epoch from ${column}) * 1000)::bigint`;

/** The times in which the platform ran, in order. */
export async function loadRuns(db: Db, fromMs: number): Promise<readonly StateSpan[]> {
  return db<StateSpan[]>`
    select ${ms(db, db`since`)} as "startMs", ${ms(db, db`until`)} as "endMs" from platform_times
    where until >= to_timestamp(${fromMs}::float8 / 1000) order by since`;
}

type Loader<Measured> = (db: Db, devices: readonly number[], fromMs: number) => Promise<ReadonlyMap<number, Measured>>;

const contactDayMs = 24 * msPerHour;
/** So many ends of contact decide whether a device is online now and then. */
const endsBefore = 3;

interface ContactRow {
  readonly key: number;
  readonly createdMs: number;
  readonly heardMs: number | null;
  readonly agentMs: number | null;
  readonly clipMs: number | null;
  readonly firstMs: number | null;
  readonly online: readonly StoredSpan[];
}

/** Contact of before the times that are kept is known by the last contact alone. */
export const loadContact: Loader<ContactOfDevice> = async (db, devices, fromMs) => {
  const since = db`to_timestamp(${fromMs - contactDayMs}::float8 / 1000)`;
  const rows = await db<ContactRow[]>`
    select d.key, ${ms(db, db`d.creation_date`)} as "createdMs", ${ms(db, db`contact.heard`)} as "heardMs",
      (select ${ms(db, db`min(a.creation_date)`)} from agents a where a.device_id = d.key) as "agentMs",
      (select ${ms(db, db`t.since`)} from online_times t where t.device_id = d.key order by t.until limit 1) as "firstMs",
      case when contact.heard is null then (
        select ${ms(db, db`c.creation_date`)} from audio_clips c where c.device_id = d.key order by c.start_ms limit 1) end as "clipMs",
      coalesce((
        select jsonb_agg(jsonb_build_object('startMs', ${ms(db, db`t.since`)}, 'endMs', ${ms(db, db`t.until`)}) order by t.since) from (
          (select t.since, t.until from online_times t where t.device_id = d.key and t.until >= ${since})
          union all (
            select t.since, t.until from online_times t where t.device_id = d.key and t.until < ${since}
            order by t.until desc limit ${endsBefore})
          union all select o.since, null from online_devices o where o.device_id = d.key) t), '[]') as online
    from devices d cross join ${deviceContact(db)} where d.key = any(${devices as number[]}::bigint[])`;
  return new Map(rows.map((row) => [row.key, contactOf(row)]));
};

function contactOf({ createdMs, heardMs, agentMs, clipMs, firstMs, online }: ContactRow): ContactOfDevice {
  const times = online.map(asSpan);
  // Its time online is not kept any more.
  if (times.length === 0 && heardMs !== null) times.push({ startMs: agentMs ?? heardMs, endMs: heardMs });
  const first = [agentMs, heardMs, firstMs, times[0]?.startMs ?? null].filter((each) => each !== null);
  return {
    createdMs,
    firstMs: first.length > 0 ? Math.min(...first) : undefined,
    firstClipMs: clipMs ?? undefined,
    online: times,
  };
}

interface HealthRow extends StoredSpan {
  readonly deviceID: number;
  readonly battery: number | null;
  readonly disk: number | null;
}

/** Reports that say the same about all of these limits are one. */
export interface HealthLimits {
  readonly battery: readonly number[];
  readonly disk: readonly number[];
}

export const loadHealth =
  ({ battery, disk }: HealthLimits): Loader<readonly HealthOfDevice[]> =>
  async (db, devices, fromMs) => {
    const rows = await db<HealthRow[]>`
      with reports as (
        select h.device_id, h.key, h.health_date, h.battery_percent as battery, h.disk_used_percent as disk,
          row (h.battery_percent is null, (select count(*) from unnest(${battery as number[]}::float8[]) l where h.battery_percent < l),
            h.disk_used_percent is null, (select count(*) from unnest(${disk as number[]}::float8[]) l where h.disk_used_percent > l))::text as says
        from device_health h where h.device_id = any(${devices as number[]}::bigint[])
          and h.health_date > to_timestamp(${fromMs - reportCountsMs}::float8 / 1000)),
      following as (
        select *, lead(health_date) over next as next_date,
          lag(health_date) over next is null or lag(says) over next <> says
            or lag(health_date) over next < health_date - make_interval(secs => ${reportCountsMs / 1_000}) as is_other
        from reports window next as (partition by device_id order by health_date, key)),
      numbered as (select *, count(*) filter (where is_other) over (partition by device_id order by health_date, key) as island from following)
      select device_id as "deviceID", min(battery) as battery, max(disk) as disk, min(${ms(db, db`health_date`)}) as "startMs",
        max(least(${ms(db, db`next_date`)}, ${ms(db, db`health_date`)} + ${reportCountsMs}::bigint)) as "endMs"
      from numbered group by device_id, island order by device_id, island`;
    return groupBy(rows, ({ battery: batteryPercent, disk: diskUsedPercent, ...row }) => ({
      ...asSpan(row),
      batteryPercent: batteryPercent ?? undefined,
      diskUsedPercent: diskUsedPercent ?? undefined,
    }));
  };

/** The longest time for which a failure counts. */
const failureCountsMs = 168 * msPerHour;
/** Of one device. */
const mostFailures = 5_000;

/** When events failed for good. An event that was created longer before the range than it is kept is not looked for. */
export const loadFailedEvents: Loader<readonly StateSpan[]> = async (db, devices, fromMs) => {
  const from = db`to_timestamp(${fromMs - failureCountsMs}::float8 / 1000)`;
  const rows = await db<SpanRow[]>`
    select d.key as "deviceID", ${ms(db, db`t.transition_date`)} as "startMs", null as "endMs"
    from unnest(${devices as number[]}::bigint[]) d (key) cross join lateral (
      select e.key from events e where e.device_id = d.key and e.event_status in (5, 6)
        and e.creation_date > ${from} - interval '7 days'
      order by e.creation_date desc, e.key desc limit ${mostFailures}) e
    cross join lateral (
      select t.transition_date from event_transitions t where t.event_id = e.key order by t.key desc limit 1) t
    where t.transition_date > ${from}`;
  return groupBy(rows, asSpan);
};

interface SpanRow extends StoredSpan {
  readonly deviceID: number;
}

export const loadFailedUploads: Loader<readonly StateSpan[]> = async (db, devices, fromMs) => {
  const rows = await db<SpanRow[]>`
    select d.key as "deviceID", ${ms(db, db`f.since`)} as "startMs", ${ms(db, db`f.until`)} as "endMs"
    from unnest(${devices as number[]}::bigint[]) d (key) cross join lateral (
      select f.since, f.until from upload_failures f where f.device_id = d.key
        and f.since > to_timestamp(${fromMs - failureCountsMs}::float8 / 1000)
      order by f.since desc limit ${mostFailures}) f`;
  return groupBy(rows, asSpan);
};

export const loadDifferentSettings: Loader<readonly StateSpan[]> = async (db, devices, fromMs) => {
  const rows = await db<SpanRow[]>`
    select s.device_id as "deviceID", ${ms(db, db`s.since`)} as "startMs", ${ms(db, db`s.until`)} as "endMs"
    from setting_differences s where s.device_id = any(${devices as number[]}::bigint[])
      and (s.until is null or s.until > to_timestamp(${fromMs}::float8 / 1000))`;
  return groupBy(rows, asSpan);
};

function groupBy<Row extends { readonly deviceID: number }, Item>(
  rows: readonly Row[],
  make: (row: Row) => Item,
): ReadonlyMap<number, readonly Item[]> {
  const grouped = new Map<number, Item[]>();
  for (const row of rows) {
    const some = grouped.get(row.deviceID);
    if (some) some.push(make(row));
    else grouped.set(row.deviceID, [make(row)]);
  }
  return grouped;
}

/** The keys of all devices. */
export async function findAllDevices(db: Db): Promise<number[]> {
  const rows = await db<{ key: number }[]>`select key from devices order by key`;
  return rows.map(({ key }) => key);
}
