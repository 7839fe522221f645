import type { DeviceReadiness } from '@earshot/contract/device-ready';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';

export async function findReadiness(db: Db, caller: Caller, deviceID: number): Promise<DeviceReadiness | undefined> {
  const [row] = await db<DeviceReadiness[]>`
    select d.key as "deviceID", r.ready_date as "readyDate", r.version, r.event_preset_id as "eventPresetID"
    from devices d left join device_readiness r on r.device_id = d.key
    where d.key = ${deviceID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

/** False if the device was removed. */
export async function lockReadyDevice(tx: Db, deviceID: number): Promise<boolean> {
  const rows = await tx`select 1 from devices where key = ${deviceID} for key share`;
  return rows.length === 1;
}

export const lockReadyDevices = (tx: Db, deviceIDs: readonly number[]): Promise<unknown> =>
  tx`select 1 from devices where key = any(${deviceIDs as number[]}::bigint[]) order by key for key share`;

/** Returns the preset to run, if one is set. */
export async function recordReady(tx: Db, deviceID: number, version: string | undefined): Promise<number | undefined> {
  const [row] = await tx<{ presetID: number | null }[]>`
    insert into device_readiness as r (device_id, ready_date, version)
    values (${deviceID}, now(), ${version ?? null})
    on conflict (device_id) do update set ready_date = excluded.ready_date,
      version = coalesce(excluded.version, r.version)
    returning event_preset_id as "presetID"`;
  return row?.presetID ?? undefined;
}

export async function putReadyPreset(tx: Db, deviceIDs: readonly number[], presetID: number | null): Promise<void> {
  await tx`
    insert into device_readiness (device_id, event_preset_id)
    select d.key, ${presetID}::bigint from devices d where d.key = any(${deviceIDs as number[]}::bigint[]) order by d.key
    on conflict (device_id) do update set event_preset_id = excluded.event_preset_id`;
}

export const lockReadinessOfDevice = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from device_readiness where device_id = ${deviceID} for update`;
