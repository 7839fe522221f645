import type { Alert } from '@earshot/contract/overview';
import { requireValue } from '../../platform/database/stored.ts';
import type { AlertRecord } from './alert-queries.ts';

/** Contact that ended within this time of another's belongs to the same outage. */
const apartMs = 5 * 60_000;
/** An outage is not longer than this from its first to its last device. */
const longestMs = 30 * 60_000;
const mostNames = 3;

/** Groups records: devices that went dark in the same minutes are one alert, other alerts are one for each kind. */
export function groupRecords(records: readonly AlertRecord[]): readonly Alert[] {
  const kinds = new Map<string, AlertRecord[]>();
  for (const record of records) kinds.set(record.alert, [...(kinds.get(record.alert) ?? []), record]);
  return [...kinds].flatMap(([kind, found]) => (kind === 'darkDevices' ? outagesOf(found) : [found]).map(alertOf));
}

/** Splits devices by the time of their last contact. */
export function outagesOf(records: readonly AlertRecord[]): readonly (readonly AlertRecord[])[] {
  const outages: AlertRecord[][] = [];
  for (const record of records.toSorted((a, b) => b.dateMs - a.dateMs || b.key - a.key)) {
    const current = outages.at(-1);
    const isSame =
      current && current.at(-1)!.dateMs - record.dateMs <= apartMs && current[0]!.dateMs - record.dateMs <= longestMs;
    if (isSame) current.push(record);
    else outages.push([record]);
  }
  return outages;
}

function alertOf(records: readonly AlertRecord[]): Alert {
  const newest = requireValue(records[0], 'the newest record of an alert');
  const oldest = requireValue(records.at(-1), 'the oldest record of an alert');
  const devices = new Map(records.map(({ deviceID, deviceName }) => [deviceID, deviceName]));
  return {
    alert: newest.alert,
    keys: records.map(({ key }) => key),
    deviceIDs: [...devices.keys()],
    deviceNames: [...devices.values()].slice(0, mostNames),
    firstDate: new Date(oldest.dateMs).toISOString(),
    lastDate: new Date(newest.dateMs).toISOString(),
    newCount: records.filter(({ isAcknowledged }) => !isAcknowledged).length,
    mayChange: records.some(({ mayChange }) => mayChange),
  };
}
