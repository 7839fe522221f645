import type { AudioClipWithNames } from '@earshot/contract/audio-clip';
import { api } from '../../app/api.ts';
import { followList } from '../../app/follow.ts';
import type { Query } from '../../app/query.ts';

/** The clips that were recorded last, of one device or of all. */
export const newestClips = (deviceID: number, count: number): Query<readonly AudioClipWithNames[]> => ({
  key: `clips ${deviceID} ${count}`,
  load: () => api.listAudioClips({ body: { deviceID, count } }),
  follow: followList<AudioClipWithNames>({
    kind: 'audioclip',
    keep: ['deviceName', 'tagList'],
    wants: ({ change, deviceID: of }) => change === 'created' && (deviceID === 0 || of === deviceID),
  }),
});

export const uploadFailed = ({ audioClipStatus }: AudioClipWithNames): boolean => audioClipStatus === 4;

export function lengthText(seconds = 0): string {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}
