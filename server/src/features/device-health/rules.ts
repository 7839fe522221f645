import type {
  CreateDeviceHealth,
  DeviceHealth,
  DeviceHealthValues,
  EpochAndCountFilter,
  LineChart,
  LineChartArgs,
} from '@earshot/contract/device-health';
import { healthVariables } from '@earshot/contract/health-variables';
import { defaultCount } from '@earshot/contract/values';
import { forbidden, invalidField, notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import { explainDenial, requireDevice } from '../../access.ts';
import { requireReportingDevice } from '../device/public.ts';
import type { StoredReport } from './queries.ts';
import {
  findHealth,
  findHealthValues,
  findLatestHealth,
  insertHealth,
  lockDeviceOfReport,
  removeOldHealth,
  replaceHealthByKey,
  replaceLatestHealth,
  selectChart,
  selectHealth,
} from './queries.ts';
import { readHealthText } from './read-values.ts';

interface HealthKey {
  readonly deviceHealthID: number;
}

const reportOf = ({ healthJSON }: { readonly healthJSON: string }): StoredReport => ({
  text: healthJSON,
  facts: readHealthText(healthJSON),
});

export async function addHealth(db: Db, caller: Caller, given: CreateDeviceHealth): Promise<HealthKey> {
  const deviceID = await requireReportingDevice(db, caller, given);
  const deviceHealthID = await insertHealth(db, deviceID, reportOf(given));
  if (deviceHealthID === undefined) throw notFound('device', deviceID);
  return { deviceHealthID };
}

export async function putLatestHealth(db: Pool, caller: Caller, given: CreateDeviceHealth): Promise<HealthKey> {
  const deviceID = await requireReportingDevice(db, caller, given);
  const report = reportOf(given);
  const replaced = await replaceLatestHealth(db, deviceID, report);
  if (replaced !== undefined) return { deviceHealthID: replaced };
  return inTransaction(db, async (tx) => {
    await lockDeviceOfReport(tx, deviceID);
    const written = (await replaceLatestHealth(tx, deviceID, report)) ?? (await insertHealth(tx, deviceID, report));
    if (written === undefined) throw notFound('device', deviceID);
    return { deviceHealthID: written };
  });
}

export async function readHealth(db: Db, caller: Caller, healthID: number): Promise<DeviceHealth> {
  const health = await findHealth(db, caller, healthID);
  if (!health) throw notFound('health report', healthID);
  return health;
}

export async function editHealth(
  db: Db,
  caller: Caller,
  healthID: number,
  given: { readonly healthJSON: string },
): Promise<HealthKey> {
  const deviceHealthID = await replaceHealthByKey(db, caller, healthID, reportOf(given));
  if (deviceHealthID !== undefined) return { deviceHealthID };
  await readHealth(db, caller, healthID);
  throw forbidden(explainDenial('device', 'write'));
}

export async function readLatestHealth(db: Db, caller: Caller, deviceID: number): Promise<DeviceHealth> {
  const health = await findLatestHealth(db, caller, deviceID);
  if (!health) throw notFound('device', deviceID);
  return health;
}

export async function readHealthValues(db: Db, caller: Caller, deviceID: number): Promise<DeviceHealthValues> {
  const values = await findHealthValues(db, caller, deviceID);
  if (!values) throw notFound('device', deviceID);
  return values;
}

function requireRange(startEpoch: number | undefined, endEpoch: number | undefined): void {
  if (startEpoch !== undefined && endEpoch !== undefined && endEpoch < startEpoch) {
    throw invalidField('endEpoch', 'must not be before startEpoch');
  }
}

/** A range of 0 to 0 is no range. */
const rangeOf = ({ startEpoch, endEpoch }: Pick<EpochAndCountFilter, 'startEpoch' | 'endEpoch'>) =>
  startEpoch === 0 && endEpoch === 0 ? { startEpoch: undefined, endEpoch: undefined } : { startEpoch, endEpoch };

export async function findHealthList(db: Db, caller: Caller, given: EpochAndCountFilter): Promise<DeviceHealth[]> {
  const { deviceID, count } = given;
  const range = rangeOf(given);
  requireRange(range.startEpoch, range.endEpoch);
  const ascending = given.order?.toLowerCase() === 'asc';
  const list = await selectHealth(db, caller, { deviceID, count, ascending, ...range });
  if (list.length === 0) await requireDevice(db, caller, 'read', deviceID);
  return list;
}

const daySeconds = 86_400;

export async function drawHealth(db: Db, caller: Caller, deviceID: number, given: LineChartArgs): Promise<LineChart> {
  const variable = healthVariables.find(({ name }) => name.toLowerCase() === given.variableName.toLowerCase());
  if (!variable) {
    const names = healthVariables.map(({ name }) => name).join(', ');
    throw invalidField('variableName', `must be one of ${names}`);
  }
  const range = rangeOf(given);
  requireRange(range.startEpoch, range.endEpoch);
  await requireDevice(db, caller, 'read', deviceID);
  // The end is not part of the range, so the report of this second needs the next one.
  const endEpoch = range.endEpoch ?? Math.max(Math.floor(Date.now() / 1000) + 1, range.startEpoch ?? 0);
  const startEpoch = range.startEpoch ?? Math.max(endEpoch - daySeconds, 0);
  const parts = Math.min(given.count || defaultCount, Math.max(endEpoch - startEpoch, 1));
  const data = await selectChart(db, deviceID, variable.name, { startEpoch, endEpoch, parts });
  return { datasets: [{ label: variable.name, data }] };
}

const mostAtOnce = 500;

/** Removes old reports, on every node. Returns a function that stops it. */
export const startHealthRetention = (db: Pool, log: Log, everyMs: number, days: number): (() => Promise<void>) =>
  startLoop('health retention', everyMs, () => sweepHealth(db, days), log);

export async function sweepHealth(db: Db, days: number): Promise<void> {
  while ((await removeOldHealth(db, days, mostAtOnce)) === mostAtOnce);
}
