import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { useRef } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';
import { reload, useQuery } from '../../lib/query.ts';
import { LinkButton } from '../../lib/ui/button.tsx';
import { Badge, UserText } from '../../lib/ui/elements.tsx';

/** The newest clip with sound, and its first words. Null if there is none. */
const newestSound: Query<PagedAudioClip | null> = {
  key: 'newest sound',
  load: async () => (await api.listAudioClipPage({ body: { audioClipStatus: 3, count: 1 } })).results[0] ?? null,
  follow: (clip, { event }) => (event === 'audioclip' || event === 'caption' ? reload : clip),
};

const longestWord = (text: string): string =>
  text
    .split(/[^\p{Letter}\p{Number}]+/u)
    .toSorted((a, b) => b.length - a.length)
    .at(0) ?? '';

interface FirstSoundProps {
  /** Sound that is there already does not count. */
  readonly isNewOnly?: boolean;
}

/** Shows live when sound arrives, and what was heard in it. */
export function FirstSound({ isNewOnly = false }: FirstSoundProps) {
  const { data: clip } = useQuery(newestSound);
  const former = useRef<number | undefined>(undefined);
  if (clip === undefined) return null;
  former.current ??= isNewOnly ? (clip?.key ?? 0) : 0;
  if (clip === null || clip.key === former.current) {
    return (
      <p class="waiting" role="status">
        <Badge tone="busy">{isNewOnly ? 'Waiting for sound from the recorder…' : 'Waiting for the first sound…'}</Badge>
      </p>
    );
  }
  const { key, deviceName, captionID, transcript = '' } = clip;
  const word = longestWord(transcript);
  return (
    <div class="card padded first-sound" role="status">
      <p>
        <Badge tone="good">Sound arrived</Badge> from <UserText text={deviceName} />
      </p>
      <p class="first-words">
        {transcript ? <UserText text={transcript} /> : captionID ? 'No speech heard in it.' : 'Transcribing…'}
      </p>
      <p class="first-links">
        <LinkButton kind="primary" icon="play" href={`/clips/${key}`}>
          Listen
        </LinkButton>
        {word !== '' && (
          <LinkButton icon="search" href={`/search?q=${encodeURIComponent(word)}`}>
            Search for “{word}”
          </LinkButton>
        )}
      </p>
    </div>
  );
}
