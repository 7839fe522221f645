import { useEffect } from 'preact/hooks';
import type { PageProps } from '../../lib/lazy-page.tsx';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { newestClips, startOf } from '../audio-clip/public.ts';
import { oneDevice } from '../device/public.ts';
import { openAtLatest } from './open-at-latest.ts';
import { Timeline } from './timeline.tsx';

/** The timeline on the page of a device. */
export function DeviceTimeline({ id }: PageProps) {
  const device = useQuery(oneDevice(id));
  const newest = useQuery(newestClips(id, 1));
  const latest = newest.data?.[0];
  useEffect(() => openAtLatest(latest && startOf(latest)), [newest.data !== undefined]);
  return <WhenLoaded from={device}>{(data) => <Timeline devices={[data]} />}</WhenLoaded>;
}
