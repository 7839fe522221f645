import type { PageProps } from '../../lib/lazy-page.tsx';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { oneDevice } from '../device/public.ts';
import { Timeline } from './timeline.tsx';

/** The timeline on the page of a device. */
export function DeviceTimeline({ id }: PageProps) {
  const device = useQuery(oneDevice(id));
  return <WhenLoaded from={device}>{(data) => <Timeline devices={[data]} />}</WhenLoaded>;
}
