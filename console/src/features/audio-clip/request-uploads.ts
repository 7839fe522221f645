import { longestClipList } from '@earshot/contract/audio-clip';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { showToast } from '../../lib/toasts.ts';
import { countText } from '../../lib/ui/count-text.ts';

/** Requests the upload of clips of one device, with one event for each 1,000 clips. */
export async function requestUploads(deviceID: number, keys: readonly number[]): Promise<boolean> {
  return attempt(async () => {
    for (let first = 0; first < keys.length; first += longestClipList) {
      await api.requestUpload({ body: { deviceID, audioClips: keys.slice(first, first + longestClipList) } });
    }
    showToast(`Upload of ${countText(keys.length, 'clip')} requested.`);
  });
}
