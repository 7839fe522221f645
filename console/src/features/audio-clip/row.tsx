import type { AudioClipWithNames } from '@earshot/contract/audio-clip';
import { Badge, Given, type Tone } from '../../ui/bits.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';
import { lengthText } from './data.ts';

const states: Readonly<Record<number, readonly [text: string, tone: Tone]>> = {
  0: ['On the device', 'idle'],
  1: ['Upload asked for', 'idle'],
  2: ['Uploading', 'busy'],
  3: ['Here', 'good'],
  4: ['Upload failed', 'bad'],
  5: ['Expired', 'idle'],
};

interface ClipRowProps {
  readonly clip: AudioClipWithNames;
  readonly zone?: string | undefined;
  readonly withoutDevice?: boolean;
}

export function ClipRow({ clip, zone, withoutDevice = false }: ClipRowProps) {
  const [text, tone] = states[clip.audioClipStatus ?? 0] ?? states[0]!;
  const time = <Time date={(clip.startTime ?? 0) * 1_000} zone={zone} />;
  return (
    <li class="row">
      <div class="row-body slim">
        <span class={`row-icon ${tone === 'idle' ? '' : tone}`}>
          <Icon name="wave" />
        </span>
        <span class="row-main">
          <span class="row-title">{withoutDevice ? time : <Given text={clip.deviceName} />}</span>
          <span class="row-under">
            {!withoutDevice && time}
            <span>{lengthText(clip.clipLengthInSeconds)} min</span>
          </span>
        </span>
        <span class="row-facts">
          <Badge tone={tone}>{text}</Badge>
        </span>
      </div>
    </li>
  );
}
