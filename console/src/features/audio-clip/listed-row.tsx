import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { player } from '../../lib/player.ts';
import { durationText } from '@earshot/contract/duration-text';
import { Badge, UserText } from '../../lib/ui/elements.tsx';
import { Hued } from '../../lib/ui/hued.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { talkgroupText, unitText } from '../talkgroup/public.ts';
import { EmergencyMark } from '../talkgroup/public.tsx';
import { playClip, togglePlay } from './playing.ts';
import { clipStateOf, isAvailable } from './clip-state.ts';
import { lengthMsOf } from './clip-times.ts';
import { RowWave } from './row-wave.tsx';

interface ListedRowProps {
  readonly clip: PagedAudioClip;
  /** When the clip began, different for each row. */
  readonly when: string;
  readonly position: number;
  readonly count: number;
  readonly isSelected: boolean;
  /** The row that the keys act on. */
  readonly isCurrent: boolean;
  readonly onSelect: (isRange: boolean) => void;
  readonly onCurrent: () => void;
}

const mostTags = 3;

/** A clip in the list of all clips: plays in place, and has a checkbox. */
export function ListedRow(props: ListedRowProps) {
  const { clip, when, position, count, isSelected, isCurrent, onSelect, onCurrent } = props;
  const { key = 0, deviceID } = clip;
  const name = clip.deviceName || `Device ${deviceID}`;
  const isOpen = player.clipID.value === key;
  const states = [isSelected && 'selected', isCurrent && 'current', isOpen && 'open'].filter(Boolean).join(' ');
  /** A click on the waveform plays from there; with the keyboard, the arrow keys seek. */
  const playFrom = ({ target, offsetX }: MouseEvent) => {
    if (!(target instanceof HTMLCanvasElement)) return;
    onCurrent();
    playClip(clip, (offsetX / Math.max(1, target.clientWidth)) * lengthMsOf(clip));
  };
  return (
    <li
      class={`row clip-row ${states}`}
      aria-setsize={count}
      aria-posinset={position}
      aria-current={isCurrent ? 'true' : undefined}
      data-clip={key}
      onClick={playFrom}
    >
      <label class="clip-check">
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={`Select ${name}, ${when}`}
          onClick={(event) => onSelect(event.shiftKey)}
        />
      </label>
      <RowPlay clip={clip} name={`${name}, ${when}`} isOpen={isOpen} onCurrent={onCurrent} />
      <div class="clip-who">
        <a class="clip-link" href={`/clips/${key}`} onClick={onCurrent}>
          {when}
        </a>
        {clip.radioCall && <EmergencyMark call={clip.radioCall} />}
        <span class="clip-device">
          <UserText text={name} />
          {!clip.radioCall && clip.title !== undefined && (
            <span class="clip-named">
              <UserText text={clip.title} />
            </span>
          )}
          {clip.radioCall && (
            <span>
              <Hued text={talkgroupText(clip.radioCall)} />
              {clip.radioCall.unit !== undefined && (
                <>
                  , unit <UserText text={unitText(clip.radioCall, clip.radioCall.unit)} />
                </>
              )}
            </span>
          )}
        </span>
      </div>
      <div class="clip-sound">
        {isAvailable(clip) ? <RowWave clip={clip} isOpen={isOpen} /> : <StateBadge clip={clip} />}
      </div>
      <RowWords clip={clip} />
      <span class="clip-length">{durationText(lengthMsOf(clip))}</span>
    </li>
  );
}

function StateBadge({ clip }: { readonly clip: PagedAudioClip }) {
  const { text, tone } = clipStateOf(clip);
  return <Badge tone={tone}>{text}</Badge>;
}

interface RowPlayProps {
  readonly clip: PagedAudioClip;
  readonly name: string;
  readonly isOpen: boolean;
  readonly onCurrent: () => void;
}

function RowPlay({ clip, name, isOpen, onCurrent }: RowPlayProps) {
  const isPlaying = isOpen && player.isPlaying.value;
  const hasFailed = isOpen && player.hasFailed.value;
  const hasSound = isAvailable(clip);
  const text = isPlaying ? 'Pause' : 'Play';
  const hint = !hasSound ? 'The audio is not available' : hasFailed ? 'The audio could not be played' : text;
  const toggle = () => {
    onCurrent();
    togglePlay(clip);
  };
  return (
    <button
      class="play-button"
      type="button"
      aria-label={hasSound && !hasFailed ? `${text}: ${name}` : `${hint}: ${name}`}
      title={hint}
      aria-disabled={hasSound ? undefined : 'true'}
      onClick={hasSound ? toggle : undefined}
    >
      <Icon name={hasFailed ? 'alert' : isPlaying ? 'pause' : 'play'} />
    </button>
  );
}

/** The first words, and the tags. */
function RowWords({ clip }: { readonly clip: PagedAudioClip }) {
  const { transcript, tagList } = clip;
  const more = tagList.length - mostTags;
  return (
    <div class="clip-said">
      {transcript ? (
        <p class="clip-words" dir="auto">
          {transcript}
        </p>
      ) : (
        <p class="clip-words quiet">{wordsMissing(clip)}</p>
      )}
      {tagList.length > 0 && (
        <span class="clip-tags">
          {tagList.slice(0, mostTags).map(({ key, tagName }) => (
            <span key={key} class="tag">
              <UserText text={tagName} />
            </span>
          ))}
          {more > 0 && <span class="quiet">+{more}</span>}
        </span>
      )}
    </div>
  );
}

function wordsMissing(clip: PagedAudioClip): string {
  if (clip.transcript === '') return 'No speech';
  return isAvailable(clip) ? 'Not transcribed' : '';
}
