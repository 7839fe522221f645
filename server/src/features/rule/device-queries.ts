import type { Db } from '../../platform/database/connect.ts';

/** Rules that name the device mean the other one from now on. */
export async function moveRulesOfDevice(tx: Db, deviceID: number, intoID: number): Promise<void> {
  await tx`update merged_devices set into_id = ${intoID} where into_id = ${deviceID}`;
  await tx`insert into merged_devices (device_id, into_id) values (${deviceID}, ${intoID})`;
  await tx`update rule_matches set device_id = ${intoID} where device_id = ${deviceID}`;
  await tx`insert into states_to_judge (device_id) values (${intoID})`;
}
