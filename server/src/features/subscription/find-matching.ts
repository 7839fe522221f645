import type { Db } from '../../platform/database/connect.ts';
import type { Batch, VisibleChange } from '../live/public.ts';
import type { Filter } from './place-queries.ts';
import { findInScope, ownerOf } from './place-queries.ts';

/** The changes that the subscription is told of: with these names, in its scope, and visible to its owner now. */
export async function findMatching(db: Db, filter: Filter, batch: Batch): Promise<readonly VisibleChange[]> {
  const visible = await batch.visibleTo(ownerOf(filter), new Set(filter.changes));
  const { scope } = filter;
  if (!scope || visible.length === 0) return visible;
  const devices = new Set(visible.flatMap(({ row }) => (row.deviceID === null ? [] : [row.deviceID])));
  const inside = await findInScope(db, filter, [...devices]);
  return visible.filter(
    ({ name, row: { deviceID } }) =>
      deviceID !== null && (inside.has(deviceID) || (name === 'device.removed' && isNamed(filter, deviceID))),
  );
}

/** Of a removed device it is no longer known in which collections it was. */
const isNamed = ({ scope }: Filter, deviceID: number): boolean =>
  (scope?.deviceIDs?.includes(deviceID) ?? false) && (scope?.collectionIDs ?? []).length === 0;
