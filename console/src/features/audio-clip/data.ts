import type { AudioClip } from '@earshot/contract/audio-clip';
import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import type { Tag } from '@earshot/contract/tag';
import { api } from '../../lib/api.ts';
import { followKinds, followList } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';
import { reload } from '../../lib/query.ts';

/** The newest clips of one device, or of all devices (0). */
export const newestClips = (deviceID: number, count: number): Query<readonly PagedAudioClip[]> => {
  const follow = followList<PagedAudioClip>({
    kind: 'audioclip',
    keep: ['deviceName', 'tagList', 'soundMs', 'title', 'radioCall'],
    wants: ({ change, deviceID: of }) => change === 'created' && (deviceID === 0 || of === deviceID),
  });
  return {
    key: `clips ${deviceID} ${count}`,
    load: async () => {
      const devices = deviceID === 0 ? {} : { deviceIDList: [deviceID] };
      return (await api.listAudioClipPage({ body: { ...devices, count } })).results;
    },
    follow: (list, change) => {
      const former = change.event === 'audioclip' ? list.find(({ key }) => key === change.key) : undefined;
      // The length of new sound is not in the change.
      const hasNewSound = former && change.record && (change.record as AudioClip).fileID !== former.fileID;
      return hasNewSound ? reload : follow(list, change);
    },
  };
};

/** All tags, sorted by name. */
export const allTags: Query<readonly Tag[]> = {
  key: 'tags',
  load: async () => (await api.listTags()).toSorted((a, b) => (a.tagName ?? '').localeCompare(b.tagName ?? '')),
  follow: followKinds('audioclip'),
};
