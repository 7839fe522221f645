import type { EventPreset } from '@earshot/contract/event-preset';
import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';

/** The presets of a device, and of the collections that contain it. */
export const presetsOf = (deviceID: number): Query<readonly EventPreset[]> => ({
  key: `presets of ${deviceID}`,
  load: () => api.listPresetsOfDevice({ params: { deviceID } }),
});
