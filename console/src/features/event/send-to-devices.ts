import { api, errorMessage, waitOf } from '../../lib/api.ts';
import { showToast } from '../../lib/toasts.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { sendEach } from '../../lib/send-each.ts';
import { readableName } from './readable-name.ts';

/** Sends an event without parameters to each device, and shows the result as a toast. Returns whether all were sent. */
export async function sendToDevices(deviceIDs: readonly number[], eventType: string): Promise<boolean> {
  const outcomes = await sendEach(deviceIDs, {
    send: (deviceID) => api.createEvent({ body: { deviceID, eventType } }),
    waitSeconds: waitOf,
  });
  const failed = outcomes.filter(({ error }) => error !== undefined);
  const count = countText(outcomes.length - failed.length, 'device');
  if (failed.length === 0) showToast(`${readableName(eventType)} is queued for ${count}.`);
  else {
    const why = errorMessage(failed[0]?.error);
    showToast(`${readableName(eventType)} is queued for ${count}, not for ${failed.length}: ${why}`, { tone: 'bad' });
  }
  return failed.length === 0;
}
