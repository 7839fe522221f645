import type { Outlet } from '../../bell/public.ts';
import { kindsByName } from '../kinds/kinds.ts';
import { dropUnsent, insertDeliveries, insertResolved } from './write-queries.ts';

const following = Object.entries(kindsByName).flatMap(([name, { followsState }]) => (followsState ? [name] : []));

/** Channels: rows that are sent after the transaction. */
export const channelOutlet: Outlet = {
  async tell(tx, { kind, rule, alertID, channels = [] }) {
    if (channels.length === 0 || (kind !== 'alert' && kind !== 'limit')) return;
    await insertDeliveries(tx, channels, {
      kind,
      ruleID: rule?.ruleID ?? null,
      alertID: alertID ?? null,
      severity: rule?.severity ?? 'info',
    });
  },
  async settle(tx, alerts) {
    const isTold = await dropUnsent(tx, alerts, 'The alert was dealt with before the message was sent.');
    if (isTold) await insertResolved(tx, alerts, following);
  },
};
