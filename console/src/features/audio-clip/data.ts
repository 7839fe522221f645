import type { AudioClipWithNames } from '@earshot/contract/audio-clip';
import type { Tag } from '@earshot/contract/tag';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { api } from '../../app/api.ts';
import { followKinds, followList } from '../../app/follow.ts';
import type { Query } from '../../app/query.ts';

/** The newest clips of one device, or of all devices (0). */
export const newestClips = (deviceID: number, count: number): Query<readonly AudioClipWithNames[]> => ({
  key: `clips ${deviceID} ${count}`,
  load: () => api.listAudioClips({ body: { deviceID, count } }),
  follow: followList<AudioClipWithNames>({
    kind: 'audioclip',
    keep: ['deviceName', 'tagList'],
    wants: ({ change, deviceID: of }) => change === 'created' && (deviceID === 0 || of === deviceID),
  }),
});

/** All tags, sorted by name. */
export const allTags: Query<readonly Tag[]> = {
  key: 'tags',
  load: async () => (await api.listTags()).toSorted((a, b) => (a.tagName ?? '').localeCompare(b.tagName ?? '')),
  follow: followKinds('audioclip'),
};

export const uploadFailed = ({ audioClipStatus: status }: AudioClipWithNames): boolean =>
  status === audioClipStatus.uploadFailed;
