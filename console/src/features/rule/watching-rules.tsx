import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';
import { useQuery } from '../../lib/query.ts';

const watchingRules = (deviceID: number): Query<number> => ({
  key: `rule count of ${deviceID}`,
  load: async () => (await api.countWatchingRules({ params: { deviceID } })).ruleCount,
});

/** For the owner of a device: how many rules of others watch it. Not whose, and not for what. */
export function WatchingRules({ deviceID }: { readonly deviceID: number }) {
  const { data = 0 } = useQuery(watchingRules(deviceID));
  if (data === 0) return null;
  return (
    <p class="hint">
      {data === 1 ? 'A rule of another person watches' : `${data} rules of other people watch`} this device.
    </p>
  );
}
