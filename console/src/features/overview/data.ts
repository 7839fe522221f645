import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import type { DeviceStateName } from '@earshot/contract/device-page';
import type { Alert, DayOverview } from '@earshot/contract/overview';
import { mostAlertRecords } from '@earshot/contract/overview';
import { largestCount } from '@earshot/contract/values';
import { useEffect } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { followKinds } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';
import { refresh } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { requestUploads } from '../audio-clip/public.ts';
import { followAlerts, followDay, followLatest } from './follow.ts';

export const dayOverview: Query<DayOverview> = {
  key: 'overview day',
  load: () => api.getDayOverview(),
  follow: (day, change) => followDay(day, change, Date.now()),
};

export const alerts: Query<readonly Alert[]> = {
  key: 'overview alerts',
  load: () => api.listAlerts(),
  follow: followAlerts,
};

/** How many devices are in each state; a state without devices is left out. */
export const stateCounts: Query<ReadonlyMap<DeviceStateName, number>> = {
  key: 'overview states',
  async load() {
    const { stateCounts: counts = [] } = await api.listDevicePage({ body: { count: 1, withStates: true } });
    return new Map(counts.map(({ state, count }) => [state, count]));
  },
  follow: followKinds('device'),
};

const latestCount = 6;

/** The newest clips whose sound is available. */
export const latestSound: Query<readonly PagedAudioClip[]> = {
  key: 'overview latest',
  load: async () =>
    (await api.listAudioClipPage({ body: { audioClipStatus: audioClipStatus.available, count: latestCount } })).results,
  follow: (clips, change) => followLatest(clips, change, latestCount),
};

const minute = 60_000;

/** Reloads what changes with time alone, while the page is visible. */
export function useTimedReload(): void {
  useEffect(() => {
    const repeat = (names: readonly string[], ms: number) =>
      setInterval(() => {
        if (document.visibilityState === 'visible') refresh(names);
      }, ms);
    const timers = [
      // The server computes states some seconds after what they follow from.
      repeat([stateCounts.key], minute / 4),
      repeat([alerts.key], minute),
      repeat([dayOverview.key], 5 * minute),
    ];
    return () => timers.forEach(clearInterval);
  }, []);
}

const setAcknowledged = async ({ alert, keys }: Alert, isAcknowledged: boolean): Promise<void> => {
  await api.acknowledgeAlert({ body: { alert, keys, isAcknowledged } });
  refresh([alerts.key]);
};

export async function acknowledge(alert: Alert): Promise<void> {
  await attempt(async () => {
    await setAcknowledged(alert, true);
    showToast('Acknowledged for everybody.', { undo: () => void attempt(() => setAcknowledged(alert, false)) });
  });
}

/** One request for each kind of alert, and more if it concerns more records than one may name. */
export function requestsFor(some: readonly Alert[]): readonly Pick<Alert, 'alert' | 'keys'>[] {
  const kinds = new Map<Alert['alert'], number[]>();
  for (const { alert, keys } of some) kinds.set(alert, [...(kinds.get(alert) ?? []), ...keys]);
  return [...kinds].flatMap(([alert, keys]) =>
    Array.from({ length: Math.ceil(keys.length / mostAlertRecords) }, (_, at) => ({
      alert,
      keys: keys.slice(at * mostAlertRecords, (at + 1) * mostAlertRecords),
    })),
  );
}

export async function acknowledgeAll(some: readonly Alert[]): Promise<void> {
  const setAll = async (isAcknowledged: boolean) => {
    for (const { alert, keys } of requestsFor(some)) {
      await api.acknowledgeAlert({ body: { alert, keys, isAcknowledged } });
    }
    refresh([alerts.key]);
  };
  await attempt(async () => {
    await setAll(true);
    showToast('All are acknowledged for everybody.', { undo: () => void attempt(() => setAll(false)) });
  });
}

export const takeBack = (alert: Alert): Promise<boolean> => attempt(() => setAcknowledged(alert, false));

export async function retryAll({ keys }: Alert): Promise<void> {
  await attempt(async () => {
    const { count } = await api.retryEvents({ body: { eventIDs: keys } });
    showToast(
      count === 0 ? 'Somebody has already retried these events.' : `${countText(count, 'event')} queued again.`,
    );
    refresh([alerts.key]);
  });
}

/** Requests the uploads of these clips again, device by device. */
export async function requestAgain({ keys, deviceIDs, firstDate = '', lastDate = '' }: Alert): Promise<void> {
  const wanted = new Set(keys);
  const epoch = (date: string) => Math.floor(new Date(date).getTime() / 1_000);
  const filter = {
    deviceIDList: deviceIDs.slice(0, largestCount),
    audioClipStatus: audioClipStatus.uploadFailed,
    startEpoch: epoch(firstDate),
    endEpoch: epoch(lastDate) + 1,
    count: largestCount,
  };
  await attempt(async () => {
    const found = new Map<number, number[]>();
    let cursor: string | undefined;
    do {
      const page = await api.listAudioClipPage({ body: { ...filter, ...(cursor === undefined ? {} : { cursor }) } });
      for (const { key = 0, deviceID = 0, mayWrite } of page.results) {
        if (wanted.has(key) && mayWrite) found.set(deviceID, [...(found.get(deviceID) ?? []), key]);
      }
      cursor = page.next;
    } while (cursor !== undefined);
    for (const [deviceID, clips] of found) await requestUploads(deviceID, clips);
    refresh([alerts.key]);
  });
}
