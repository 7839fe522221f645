import { LazyPage } from '../../lib/lazy-page.tsx';

/* The largest parts of the page. Their code is loaded when their tab is opened. */

interface TabProps {
  readonly deviceID: number;
}

const loadTimeline = async () => (await import('../timeline/public.tsx')).DeviceTimeline;
const loadSettings = async () => (await import('./settings.tsx')).SettingsOfDevice;

export const LazyTimeline = ({ deviceID }: TabProps) => <LazyPage load={loadTimeline} id={deviceID} />;
export const LazySettings = ({ deviceID }: TabProps) => <LazyPage load={loadSettings} id={deviceID} />;
