import type { Db } from '../../../platform/database/connect.ts';
import type { MeasuredDevice, StateSource, WatchedState } from './core/states.ts';
import {
  loadContact,
  loadDifferentSettings,
  loadFailedEvents,
  loadFailedUploads,
  loadHealth,
} from './measured-queries.ts';

/** What a source says about these devices since a time, for these states. */
export async function loadMeasured(
  db: Db,
  source: StateSource,
  states: readonly WatchedState[],
  devices: readonly number[],
  fromMs: number,
): Promise<ReadonlyMap<number, MeasuredDevice>> {
  const limitsOf = (state: WatchedState['state'], limit: 'belowPercent' | 'abovePercent') =>
    states.filter((each) => each.state === state).map(({ limits }) => limits[limit]);
  const loaders = {
    contact: loadContact,
    health: loadHealth({
      battery: limitsOf('lowBattery', 'belowPercent'),
      disk: limitsOf('fullDisk', 'abovePercent'),
    }),
    events: loadFailedEvents,
    uploads: loadFailedUploads,
    settings: loadDifferentSettings,
  } as const;
  const found = await loaders[source](db, devices, fromMs);
  return new Map(devices.map((key) => [key, { [source]: found.get(key) }]));
}
