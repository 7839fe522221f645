import type { CallingParts } from '../event/public.ts';
import type { MatchFollower } from '../rule/public.ts';
import { actOnAlerts } from './act/act.ts';
import { requestLateUploads } from './act/request-upload.ts';
import { groupMatches } from './group/group.ts';

/** What happens with matches, in the transaction that found them. */
export const createFollower = (events: Pick<CallingParts, 'wakeups'>, ruleHours: number): MatchFollower => ({
  async follow(tx, judged) {
    const late = await requestLateUploads(tx, judged.clips);
    const grouped = await groupMatches(tx, judged);
    return [...late, ...(await actOnAlerts(tx, judged, grouped, ruleHours))];
  },
  wake: (deviceIDs) => {
    if (deviceIDs.length > 0) events.wakeups.add(deviceIDs);
  },
});
