import type { AudioClipWithNames } from '@earshot/contract/audio-clip';
import { Badge, Given } from '../../ui/bits.tsx';
import { durationText } from '../../ui/duration.ts';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';
import { clipStateOf } from './state.ts';

interface ClipRowProps {
  readonly clip: AudioClipWithNames;
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
          <span class="row-title">{withoutDevice ? time : <Given text={clip.deviceName} />}</span>
          <span class="row-under">
            {!withoutDevice && time}
            <span>{durationText((clip.clipLengthInSeconds ?? 0) * 1_000)} long</span>
          </span>
        </span>
        <span class="row-facts">
          <Badge tone={tone}>{text}</Badge>
        </span>
      </a>
    </li>
  );
}
