import type { AudioClipWithNames } from '@earshot/contract/audio-clip';
import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { durationText } from '@earshot/contract/duration-text';
import { Badge, UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { clipStateOf } from './clip-state.ts';
import { lengthMsOf } from './clip-times.ts';

interface ClipRowProps {
  readonly clip: AudioClipWithNames & Pick<PagedAudioClip, 'soundMs' | 'title' | 'radioCall'>;
  readonly zone?: string | undefined;
  readonly withoutDevice?: boolean;
}

export function ClipRow({ clip, zone, withoutDevice = false }: ClipRowProps) {
  const { text, tone } = clipStateOf(clip);
  const time = <Time date={(clip.startTime ?? 0) * 1_000} zone={zone} />;
  return (
    <li class="row">
      <a class="row-link slim" href={`/clips/${clip.key}`}>
        <span class={`row-icon ${tone === 'idle' ? '' : tone}`}>
          <Icon name="wave" />
        </span>
        <span class="row-main">
          <span class="row-title">{withoutDevice ? time : <UserText text={clip.deviceName} />}</span>
          <span class="row-under">
            {!withoutDevice && time}
            {!clip.radioCall && clip.title !== undefined && <UserText text={clip.title} />}
            <span>{durationText(lengthMsOf(clip))} long</span>
          </span>
        </span>
        <span class="row-facts">
          <Badge tone={tone}>{text}</Badge>
        </span>
      </a>
    </li>
  );
}
