import type { WatchedDevice } from './engine-queries.ts';
import type { EngineRule } from './rule-index.ts';

/** Whether the rule looks at the device now, one that is built in at every device; the same as `isWatched` of the trial, for many rules at once. */
export function isWatching({ userID, definition }: EngineRule, device: WatchedDevice): boolean {
  const { deviceIDs = [], collectionIDs = [] } = definition.where ?? {};
  return (
    (userID === null || device.readers.has(userID)) &&
    (deviceIDs.length === 0 || deviceIDs.some((key) => device.names.has(key))) &&
    (collectionIDs.length === 0 || collectionIDs.some((key) => device.collections.has(key)))
  );
}
