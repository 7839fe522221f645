import { defineFeature } from '../../feature.ts';
import { lockSettingsOfDevice } from './queries.ts';
import { serveDeviceSettings } from './routes.ts';

export const deviceSetting = defineFeature({
  name: 'device-setting',
  needs: ['events'],
  routes: (http, { events }) => serveDeviceSettings(http, events),
  deviceRemoval: { lock: lockSettingsOfDevice },
});
