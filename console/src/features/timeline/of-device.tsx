import { WhenLoaded } from '../../app/loaded.tsx';
import { useQuery } from '../../app/query.ts';
import type { PageProps } from '../../app/routes.ts';
import { oneDevice } from '../device/data.ts';
import { Timeline } from './timeline.tsx';

/** The timeline on the page of a device. */
export function DeviceTimeline({ id }: PageProps) {
  const device = useQuery(oneDevice(id));
  return <WhenLoaded from={device}>{(data) => <Timeline devices={[data]} />}</WhenLoaded>;
}
