import type { Device } from '@earshot/contract/device';
import { useMemo } from 'preact/hooks';
import { LazyPage } from '../../lib/lazy-page.tsx';

/** The timeline is the largest part of the console, so its code is loaded when the tab is opened. */
export function LazyTimeline({ device }: { readonly device: Device }) {
  const load = useMemo(
    () => async () => {
      const { DeviceTimeline } = await import('../timeline/public.tsx');
      return DeviceTimeline;
    },
    [],
  );
  return <LazyPage load={load} id={device.key ?? 0} />;
}
