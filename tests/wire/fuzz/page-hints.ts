import * as fc from 'fast-check';
import { writeSortPlace } from '@earshot/server/platform/sorted-page';

/** For operations of pages with a cursor, and for those that add to what they list. */
export function pageHints(deviceKey: number, collectionKey: number) {
  const cursor = fc.constantFrom(
    null,
    writeSortPlace('deviceName', { value: 'a', key: 1 }),
    writeSortPlace('itemName', { value: undefined, key: 2 }),
    writeSortPlace('deviceName', { value: 3, key: 1 }),
    writeSortPlace('creationDate', { value: 1_700_000_000_000_000, key: 3 }),
    writeSortPlace('email', { value: 'a', key: 1 }),
    writeSortPlace('creationDate', { value: undefined, key: 4 }),
  );
  return {
    listDevicePage: { cursor },
    listCollectionItemPage: { cursor },
    listSortedEvents: { cursor },
    listPresetPage: { cursor },
    listKeyPage: { cursor },
    listUserPage: { cursor },
    listBulkFailures: { cursor: fc.constantFrom(null, writeSortPlace('position', { value: 3, key: 3 })) },
    // Nothing is deleted behind the back of other requests.
    startDeviceBulk: {
      action: fc.constantFrom('sendEvent', 'sendEvent', 'collect'),
      deviceIDs: fc.constantFrom([deviceKey], [deviceKey, 0, deviceKey]),
      filter: fc.constantFrom(null, null, null, { searchText: 'nobody' }),
      collectionID: fc.constantFrom(null, null, collectionKey),
      event: fc.constantFrom({ eventType: 'Report_diagnostics' }, { eventType: 'Reboot' }, null),
    },
    takeOutItems: {
      collectionItemIDs: fc.constantFrom([0]),
      filter: fc.constantFrom(null, null, { itemType: 'user', searchText: 'nobody' }),
    },
    addCollectionItem: { itemType: fc.constant('device'), itemID: fc.constant(deviceKey) },
    addCollectionItems: { itemType: fc.constant('device'), itemIDs: fc.constantFrom([deviceKey]) },
  };
}
