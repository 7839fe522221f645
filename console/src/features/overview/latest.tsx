import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { player } from '../../lib/player.ts';
import { useQuery } from '../../lib/query.ts';
import { durationText } from '@earshot/contract/duration-text';
import { Empty, Section, UserText } from '../../lib/ui/elements.tsx';
import { Hued } from '../../lib/ui/hued.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { lengthMsOf, startOf } from '../audio-clip/public.ts';
import { talkgroupText } from '../talkgroup/public.ts';
import { latestSound } from './data.ts';

/** The newest sound, played in place. */
export function LatestSound() {
  const latest = useQuery(latestSound);
  return (
    <Section title="Latest sound" action={<a href="/clips">All clips</a>}>
      <WhenLoaded from={latest}>
        {(clips) =>
          clips.length === 0 ? (
            <Empty title="No sound yet">Sound appears here as soon as it is uploaded.</Empty>
          ) : (
            <ul class="rows" aria-live="polite">
              {clips.map((clip) => (
                <SoundRow key={clip.key} clip={clip} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Section>
  );
}

function SoundRow({ clip }: { readonly clip: PagedAudioClip }) {
  const { key = 0, deviceName, transcript, title, radioCall } = clip;
  const isCurrent = player.clipID.value === key;
  const isPlaying = isCurrent && player.isPlaying.value;
  const toggle = () => {
    if (isCurrent) return player.toggle();
    player.open(key);
    player.play();
  };
  return (
    <li class="row sound-row">
      <button
        class="button quiet bare"
        type="button"
        aria-label={`${isPlaying ? 'Pause' : 'Play'} ${deviceName ?? 'clip'}`}
        onClick={toggle}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} />
      </button>
      <a class="row-link slim" href={`/clips/${key}`}>
        <span class="row-main">
          <span class="row-title">
            {radioCall ? <Hued text={talkgroupText(radioCall)} /> : <UserText text={deviceName} />}
          </span>
          <span class="row-under">
            {radioCall && <UserText text={deviceName} />}
            <Time date={startOf(clip)} />
            <span>{durationText(lengthMsOf(clip))} long</span>
            {!radioCall && title !== undefined && <UserText text={title} />}
            {isCurrent && player.hasFailed.value && <span>cannot be played</span>}
          </span>
          {transcript && (
            <span class="row-under">
              <UserText text={transcript} />
            </span>
          )}
        </span>
      </a>
    </li>
  );
}
