import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { dayAndTime } from '../../lib/ui/clock.ts';
import { durationText } from '../../lib/ui/duration.ts';
import { Badge, UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { talkgroupText } from '../talkgroup/public.ts';
import { EmergencyMark } from '../talkgroup/public.tsx';
import { clipStateOf, startOf } from './public.ts';

interface ListedRowProps {
  readonly clip: PagedAudioClip;
  readonly position: number;
  readonly count: number;
  readonly isSelected: boolean;
  /** Hides the device name, where all clips are of one device. */
  readonly withoutDevice: boolean;
  readonly onSelect: (isRange: boolean) => void;
}

const mostTags = 3;

/** A clip in the list of all clips, with a checkbox. */
export function ListedRow({ clip, position, count, isSelected, withoutDevice, onSelect }: ListedRowProps) {
  const { text, tone } = clipStateOf(clip);
  const start = startOf(clip);
  const when = dayAndTime(start);
  const { deviceName, tagList, radioCall } = clip;
  const more = tagList.length - mostTags;
  return (
    <li
      class={isSelected ? 'row clip-row selected' : 'row clip-row'}
      aria-setsize={count}
      aria-posinset={position}
      data-clip={clip.key}
    >
      <label class="clip-check">
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={`Select ${deviceName ?? 'clip'}, ${when}`}
          onClick={(event) => onSelect(event.shiftKey)}
        />
      </label>
      <a class="row-link" href={`/clips/${clip.key}`}>
        <span class={`row-icon ${tone === 'idle' ? '' : tone}`}>
          <Icon name="wave" />
        </span>
        <span class="row-main">
          <span class="row-title">
            {withoutDevice ? when : <UserText text={deviceName || `Device ${clip.deviceID}`} />}
            {radioCall && (
              <>
                {' · '}
                <UserText text={talkgroupText(radioCall)} />
              </>
            )}
          </span>
          <span class="row-under">
            {radioCall && <EmergencyMark call={radioCall} />}
            {!withoutDevice && <span>{when}</span>}
            {radioCall?.unit !== undefined && <span>unit {radioCall.unit}</span>}
            <span>{durationText((clip.clipLengthInSeconds ?? 0) * 1_000)} long</span>
            <span class="clip-ago">
              <Time date={start} />
            </span>
          </span>
        </span>
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
        <span class="row-facts">
          <Badge tone={tone}>{text}</Badge>
        </span>
      </a>
    </li>
  );
}
