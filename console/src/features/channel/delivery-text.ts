import type { Delivery, DeliveryKind, DeliveryState } from '@earshot/contract/delivery';
import type { Tone } from '../../lib/ui/elements.tsx';

const kinds: Readonly<Record<DeliveryKind, string>> = {
  alert: 'Alert',
  resolved: 'End of an alert',
  limit: 'Limit of a rule',
  digest: 'Digest',
  test: 'Test',
  change: 'Changes',
};

export const kindOfDelivery = ({ kind = 'alert', alertID }: Delivery): string =>
  alertID === undefined ? kinds[kind] : `${kinds[kind]} ${alertID}`;

export const stateOfDelivery: Readonly<Record<DeliveryState, { readonly tone: Tone; readonly text: string }>> = {
  waiting: { tone: 'busy', text: 'Waiting' },
  delivered: { tone: 'good', text: 'Delivered' },
  failed: { tone: 'bad', text: 'Failed' },
  dropped: { tone: 'idle', text: 'Dropped' },
  digested: { tone: 'idle', text: 'In a digest' },
};
