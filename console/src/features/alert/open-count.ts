import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';
import { reload } from '../../lib/query.ts';

/** How many alerts are open, counted up to `most`. */
export const openAlertCount = (most: number): Query<number> => ({
  key: `alerts open ${most}`,
  load: async () => (await api.listRuleAlerts({ body: { state: 'open', count: most } })).results.length,
  follow: (count, { event }) => (event === 'alert' ? reload : count),
});
