import type { Outlet } from '../../bell/public.ts';
import { kindsByName } from '../kinds/kinds.ts';
import { dropUnsent, insertDeliveries, insertResolved } from './write-queries.ts';

const following = Object.entries(kindsByName).flatMap(([name, { followsState }]) => (followsState ? [name] : []));

/** Channels, those of rules and those that people chose: rows that are sent after the transaction. */
export const channelOutlet: Outlet = {
  async tell(tx, { kind, people, rule, alertID, channels = [], includesWords = false, waitedSeconds }) {
    if ((kind !== 'alert' && kind !== 'limit') || channels.length + people.length === 0 || !rule) return;
    const to = { channels, people, includesWords, waitedSeconds: waitedSeconds ?? null };
    const { ruleID, severity } = rule;
    await insertDeliveries(tx, to, { kind, ruleID, alertID: alertID ?? null, severity });
  },
  async settle(tx, alerts) {
    if (await dropUnsent(tx, alerts)) await insertResolved(tx, alerts, following);
  },
};
