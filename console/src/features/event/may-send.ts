import { createEvent } from '@earshot/contract/event';
import { ownerOnlyEventTypes } from '@earshot/contract/event-type';
import type { Declared } from '../right/public.ts';
import { may } from '../right/public.ts';

type On = Parameters<typeof may>[1];

/** Whether the user may call an operation that sends events of this type: some only the owner of the device may send. */
export const maySend = (eventTypeID: number | undefined, on: On, by: Declared = createEvent): boolean =>
  may(ownerOnlyEventTypes.includes(eventTypeID ?? 0) ? forOwners(by) : by, on);

const forOwners = ({ access, acts }: Declared): Declared => ({
  access,
  acts: acts.map((act) => ({ ...act, right: 'own' as const })),
});
