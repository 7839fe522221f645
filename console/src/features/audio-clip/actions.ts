import type { AudioClip, AudioClipWithNames } from '@earshot/contract/audio-clip';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { deferActions } from '../../lib/deferred.ts';
import { refresh } from '../../lib/query.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { dropToast, showToast } from '../../lib/toasts.ts';

/** Parallel requests. A browser opens at most six connections to a server. */
const atOnce = 4;

export function byDevice<Clip extends AudioClip>(clips: readonly Clip[]): ReadonlyMap<number, readonly Clip[]> {
  const devices = new Map<number, Clip[]>();
  for (const clip of clips) {
    const { deviceID = 0 } = clip;
    const known = devices.get(deviceID);
    if (known) known.push(clip);
    else devices.set(deviceID, [clip]);
  }
  return devices;
}

async function forEach<Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let first = 0; first < items.length; first += atOnce) {
    results.push(...(await Promise.all(items.slice(first, first + atOnce).map(act))));
  }
  return results;
}

export async function tagClips(clips: readonly AudioClipWithNames[], tagName: string): Promise<void> {
  const carries = ({ tagList }: AudioClipWithNames) =>
    tagList.some((tag) => tag.tagName?.toLowerCase() === tagName.toLowerCase());
  const tagged = await forEach(
    clips.filter((clip) => !carries(clip)),
    ({ key: audioClipID = 0 }) => api.createAudioClipTag({ params: { audioClipID }, body: { tagName } }),
  );
  refresh(['tags']);
  const toast = showToast(`${countText(tagged.length, 'clip')} tagged “${tagName}”.`, {
    undo: () => {
      dropToast(toast);
      void attempt(() =>
        forEach(tagged, ({ key: audioClipTagID = 0, audioClipID = 0 }) =>
          api.deleteAudioClipTag({ params: { audioClipID, audioClipTagID } }),
        ),
      );
    },
  });
}

export function removeClips(clips: readonly AudioClip[]): void {
  const keys = clips.map(({ key = 0 }) => key);
  deferActions(
    keys.map((key) => `clip ${key}`),
    keys.length === 1 ? '1 clip deleted.' : `${countText(keys.length, 'clip')} deleted.`,
    () => forEach(keys, (audioClipID) => api.deleteAudioClip({ params: { audioClipID } })),
  );
}

/** Adds the files of the clips to a collection. A file that is in it already is left as it is. */
export async function collectClips(clips: readonly AudioClip[], collectionID: number, name: string): Promise<void> {
  const files = [...new Set(clips.flatMap(({ fileID }) => (fileID === undefined ? [] : [fileID])))];
  await forEach(files, (itemID) =>
    api.addCollectionItem({ params: { collectionItemID: collectionID }, body: { itemType: 'file', itemID } }),
  );
  refresh(['items']);
  showToast(`${countText(files.length, 'file')} added to “${name}”.`);
}
