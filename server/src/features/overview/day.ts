import type { DayOverview } from '@earshot/contract/overview';
import { overviewHours } from '@earshot/contract/overview';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { countClips, findLevels, hourMs, measureOnline } from './day-queries.ts';

const dateOf = (ms: number): string => new Date(ms).toISOString();

export async function readDay(db: Db, caller: Caller, nowMs: number): Promise<DayOverview> {
  const fromMs = nowMs - overviewHours * hourMs;
  const [counted, online, levels] = await Promise.all([
    countClips(db, caller, fromMs, nowMs),
    measureOnline(db, caller, fromMs, overviewHours),
    findLevels(db, caller, nowMs),
  ]);
  const { hours, deviceCount, isComplete } = counted;
  const sum = (name: 'clipCount' | 'soundSeconds') => hours.reduce((total, hour) => total + hour[name], 0);
  return {
    startDate: dateOf(fromMs),
    endDate: dateOf(nowMs),
    deviceCount,
    isComplete,
    clipCount: sum('clipCount'),
    soundSeconds: sum('soundSeconds'),
    hours: Array.from({ length: overviewHours }, (_, hour) => {
      const { clipCount = 0, soundSeconds = 0 } = hours.find((counts) => counts.hour === hour) ?? {};
      const onlinePercent = online[hour]?.onlinePercent ?? undefined;
      const startDate = dateOf(fromMs + hour * hourMs);
      return { startDate, clipCount, soundSeconds, ...(onlinePercent === undefined ? {} : { onlinePercent }) };
    }),
    ...levels,
  };
}
