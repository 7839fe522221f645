import type { Feature } from '../../feature.ts';
import { lockSettingsOfDevice } from './queries.ts';
import { serveDeviceSettings } from './routes.ts';

export const deviceSetting: Feature = {
  routes: (http, { events }) => serveDeviceSettings(http, events),
  deviceRemoval: { lock: lockSettingsOfDevice },
};
