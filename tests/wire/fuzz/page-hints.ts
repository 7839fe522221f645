import fc from 'fast-check';
import { writeSortPlace } from '@earshot/server/platform/sorted-page';

/** For operations of sorted pages, and for the one that adds to what they list. */
export function pageHints(deviceKey: number) {
  const cursor = fc.constantFrom(
    null,
    writeSortPlace('deviceName', { value: 'a', key: 1 }),
    writeSortPlace('itemName', { value: undefined, key: 2 }),
    writeSortPlace('deviceName', { value: 3, key: 1 }),
  );
  return {
    listDevicePage: { cursor },
    listCollectionItemPage: { cursor },
    addCollectionItems: { itemType: fc.constant('device'), itemIDs: fc.constantFrom([deviceKey]) },
  };
}
