import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';
import { reload, useQuery } from '../../lib/query.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import type { UploadItem } from './item.ts';
import { startMsOf } from './item.ts';

/** The clip with the first words of its transcript. */
const heardClip = (clipID: number, deviceID: number, startMs: number): Query<PagedAudioClip | null> => ({
  key: `heard ${clipID}`,
  load: async () => {
    // The server may have moved the start by some milliseconds, into the next second.
    const epoch = Math.floor(startMs / 1_000);
    const body = { deviceIDList: [deviceID], startEpoch: epoch, endEpoch: epoch + 2, count: 100 };
    const { results } = await api.listAudioClipPage({ body });
    return results.find(({ key }) => key === clipID) ?? null;
  },
  follow: (clip, { event, key }) => ((event === 'caption' || event === 'audioclip') && key === clipID ? reload : clip),
});

interface HeardWordsProps {
  readonly clipID: number;
  readonly item: UploadItem;
}

/** What was heard in an uploaded recording, as soon as it is known. */
export function HeardWords({ clipID, item }: HeardWordsProps) {
  const startMs = startMsOf(item) ?? 0;
  const { data } = useQuery(heardClip(clipID, item.deviceID ?? 0, startMs));
  if (!data?.captionID) return <span class="hint">Uploaded. Transcribing…</span>;
  if (!data.transcript) return <span class="hint">No speech heard</span>;
  return (
    <span class="heard">
      <UserText text={data.transcript} />
    </span>
  );
}
