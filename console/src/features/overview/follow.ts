import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Event } from '@earshot/contract/event';
import { failedStatuses } from '@earshot/contract/event-status';
import type { Alert, DayOverview } from '@earshot/contract/overview';
import { clipOf } from '../../lib/changed-window.ts';
import type { Change } from '../../lib/query.ts';
import { reload } from '../../lib/query.ts';

const hourMs = 3_600_000;

/** A new clip is counted here, without a request. Words and tags are compared again only when the day is reloaded. */
export function followDay(day: DayOverview, change: Change, now: number): DayOverview | typeof reload {
  if (change.event === 'collection' || (change.event === 'device' && change.change === 'removed')) return reload;
  const clip = clipOf(change);
  const startMs = (clip?.startTime ?? 0) * 1_000 + (clip?.startTimeMs ?? 0);
  if (!clip || change.change !== 'created' || startMs > now) return day;
  const first = new Date(day.startDate).getTime();
  if (startMs < first) return day;
  const place = Math.min(day.hours.length - 1, Math.floor((startMs - first) / hourMs));
  const seconds = Math.round(clip.clipLengthInSeconds ?? 0);
  const hours = day.hours.map((hour, index) =>
    index === place ? { ...hour, clipCount: hour.clipCount + 1, soundSeconds: hour.soundSeconds + seconds } : hour,
  );
  return { ...day, clipCount: day.clipCount + 1, soundSeconds: day.soundSeconds + seconds, hours };
}

/** Reloads only after changes that can add or end an alert; a busy fleet has many others. */
export function followAlerts(alerts: readonly Alert[], change: Change): readonly Alert[] | typeof reload {
  const { key } = change;
  if (change.event === 'collection') return reload;
  const isListed = (kinds: readonly Alert['alert'][]) =>
    alerts.some((alert) => kinds.includes(alert.alert) && alert.keys.includes(key));
  if (change.event === 'event') {
    const event: Event = change.record ?? {};
    return failedStatuses.includes(event.eventStatus ?? 0) && !isListed(['failedEvents']) ? reload : alerts;
  }
  if (change.event === 'audioclip') {
    const hasFailed = clipOf(change)?.audioClipStatus === audioClipStatus.uploadFailed;
    return hasFailed !== isListed(['failedUploads']) ? reload : alerts;
  }
  if (change.event === 'device') return change.change === 'removed' || isListed(deviceAlerts) ? reload : alerts;
  return alerts;
}

const deviceAlerts: readonly Alert['alert'][] = [
  'darkDevices',
  'neverConnected',
  'lowBattery',
  'fullDisk',
  'differentSettings',
];

/** Reloads when sound arrives that is newer than a listed clip, and when a listed clip changes. */
export function followLatest(
  clips: readonly PagedAudioClip[],
  change: Change,
  most: number,
): readonly PagedAudioClip[] | typeof reload {
  if (change.event === 'collection' || (change.event === 'device' && change.change === 'removed')) return reload;
  if (change.event !== 'audioclip' && change.event !== 'caption') return clips;
  if (clips.some(({ key }) => key === change.key)) return reload;
  const clip = clipOf(change);
  if (clip?.audioClipStatus !== audioClipStatus.available) return clips;
  const last = clips.length < most ? 0 : (clips.at(-1)?.startTime ?? 0);
  return (clip.startTime ?? 0) >= last ? reload : clips;
}
