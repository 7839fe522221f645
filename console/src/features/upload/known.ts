import { api } from '../../lib/api.ts';
import type { UploadItem } from './item.ts';
import { startMsOf } from './item.ts';

/** The same for the same recording: same device, same start, same sound. */
export const recordingKey = (item: UploadItem | undefined): string | undefined =>
  item?.hash === undefined ? undefined : `${item.deviceID} ${startMsOf(item)} ${item.hash}`;

/** The clips of recordings that the server has, by the id of the item. */
export async function findKnownClips(items: readonly UploadItem[]): Promise<ReadonlyMap<string, number>> {
  const asked = items.flatMap((item) => {
    const { id, deviceID, hash } = item;
    const startMs = startMsOf(item);
    if (deviceID === undefined || hash === undefined || startMs === undefined) return [];
    return [{ id, recording: { deviceID, startDate: new Date(startMs).toISOString(), sHA256Hash: hash } }];
  });
  if (asked.length === 0) return new Map();
  const known = await api.findKnownUploads({ body: { recordings: asked.map(({ recording }) => recording) } });
  const clips = new Map<string, number>();
  for (const { recordingIndex = -1, audioClipID, isStored } of known) {
    const id = asked[recordingIndex]?.id;
    // Without its sound, which retention has removed, the recording is uploaded again.
    if (id !== undefined && isStored === true) clips.set(id, audioClipID);
  }
  return clips;
}
