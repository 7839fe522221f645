import * as fc from 'fast-check';
import { writeSortPlace } from '@earshot/server/platform/sorted-page';

/** For operations of pages with a cursor, and for those that add to what they list. */
export function pageHints(deviceKey: number, placeCursor: fc.Arbitrary<unknown>) {
  const cursor = fc.constantFrom(
    null,
    writeSortPlace('deviceName', { value: 'a', key: 1 }),
    writeSortPlace('itemName', { value: undefined, key: 2 }),
    writeSortPlace('deviceName', { value: 3, key: 1 }),
  );
  return {
    listEventPage: { deviceID: fc.constantFrom(0, deviceKey), cursor: placeCursor },
    listDevicePage: { cursor },
    listCollectionItemPage: { cursor },
    addCollectionItem: { itemType: fc.constant('device'), itemID: fc.constant(deviceKey) },
    addCollectionItems: { itemType: fc.constant('device'), itemIDs: fc.constantFrom([deviceKey]) },
  };
}
