import type { Alert } from '@earshot/contract/overview';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { groupRecords } from './group-records.ts';
import { findDeviceAlerts, findFailedEvents, findFailedUploads } from './alert-queries.ts';

/** Alerts that somebody has to look at first, then acknowledged ones. */
export async function findAlerts(db: Db, caller: Caller): Promise<Alert[]> {
  const [events, uploads, devices] = await Promise.all([
    findFailedEvents(db, caller),
    findFailedUploads(db, caller),
    findDeviceAlerts(db, caller),
  ]);
  const alerts = [...groupRecords(devices), ...events, ...groupRecords(uploads)];
  return alerts.toSorted((a, b) => Number(a.newCount === 0) - Number(b.newCount === 0));
}
