import type { EventPreset } from '@earshot/contract/event-preset';
import { api, errorMessage } from '../../lib/api.ts';
import { deferAction } from '../../lib/deferred.ts';
import type { Query } from '../../lib/query.ts';
import { refresh } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';

export const allPresets: Query<readonly EventPreset[]> = { key: 'presets', load: () => api.listEventPresets() };

/** Runs a preset on the given device of its collection, or on all devices of the preset. */
export async function sendPreset(preset: EventPreset, name: string, deviceID?: number): Promise<void> {
  try {
    const only = preset.deviceGroupID !== undefined && deviceID !== undefined ? { data: [deviceID] } : {};
    const events = await api.runEventPreset({ params: { eventPresetID: preset.key ?? 0 }, body: only });
    showToast(events.length === 1 ? `${name} is queued.` : `${name} is queued for ${events.length} devices.`);
  } catch (error) {
    showToast(errorMessage(error), { tone: 'bad' });
  }
}

export function askToDeletePreset(preset: EventPreset, name: string): void {
  const eventPresetID = preset.key ?? 0;
  deferAction(`preset ${eventPresetID}`, `${name} is deleted.`, async () => {
    await api.deleteEventPreset({ params: { eventPresetID } });
    refresh(['presets']);
  });
}

/** The presets of a device, and of the collections that contain it. */
export const presetsOf = (deviceID: number): Query<readonly EventPreset[]> => ({
  key: `presets of ${deviceID}`,
  load: () => api.listPresetsOfDevice({ params: { deviceID } }),
});
