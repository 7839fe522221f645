import type { BulkJob } from '@earshot/contract/bulk-job';
import { countText } from '../../lib/ui/count-text.ts';
import { readableName } from '../event/public.ts';

/** What a job does, such as `Delete 2,000 devices`. */
export function jobTitle({ action, total, collectionName, eventType }: BulkJob): string {
  const collection = collectionName ? `“${collectionName}”` : 'a collection';
  const devices = countText(total, 'device');
  switch (action) {
    case 'delete':
      return `Delete ${devices}`;
    case 'collect':
      return `Add ${devices} to ${collection}`;
    case 'sendEvent':
      return `Send ${readableName(eventType)} to ${devices}`;
    case 'takeOut':
      return `Remove ${countText(total, 'item')} from ${collection}`;
  }
}
