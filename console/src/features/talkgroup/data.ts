import type { Talkgroup } from '@earshot/contract/radio';
import { largestCount } from '@earshot/contract/values';
import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';

/** The talkgroups of a device by number: one more than is shown, to know whether there are more. */
export const talkgroupsFound = (deviceID: number, searchText: string, shown: number): Query<readonly Talkgroup[]> => ({
  key: `talkgroups ${deviceID} ${shown} ${searchText}`,
  load: async () => {
    const found: Talkgroup[] = [];
    while (found.length <= shown) {
      const count = Math.min(largestCount, shown + 1 - found.length);
      const more = await api.listTalkgroups({ body: { deviceID, searchText, offset: found.length, count } });
      found.push(...more);
      if (more.length < count) break;
    }
    return found;
  },
});

/** Talkgroups of one device, or of all devices (0), for selection. */
export const someTalkgroups = (deviceID: number): Query<readonly Talkgroup[]> => ({
  key: `talkgroups some ${deviceID}`,
  load: () => api.listTalkgroups({ body: { deviceID, count: largestCount } }),
});
