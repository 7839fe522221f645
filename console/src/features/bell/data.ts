import type { Bell } from '@earshot/contract/bell';
import { mostUnread } from '@earshot/contract/bell';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import type { Query } from '../../lib/query.ts';
import { refresh, reload } from '../../lib/query.ts';

const perPage = 20;

export const newestEntries: Query<Bell> = {
  key: 'bell',
  load: () => api.readBell({ query: { count: perPage } }),
  follow: (bell, { event }) => (event === 'alert' ? reload : bell),
};

export const olderEntries = (cursor: string): Promise<Bell> => api.readBell({ query: { count: perPage, cursor } });

export async function markRead(readTo: number): Promise<void> {
  await attempt(() => api.markBellRead({ body: { readTo } }));
  refresh(['bell']);
}

export const unreadText = (count: number): string => (count >= mostUnread ? '999+' : String(count));
