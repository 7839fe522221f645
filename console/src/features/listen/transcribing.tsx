import type { AudioClip } from '@earshot/contract/audio-clip';
import { useQuery } from '../../lib/query.ts';
import { Progress } from '../../lib/ui/elements.tsx';
import { positionText } from '../../lib/ui/times.ts';
import { lengthMsOf } from '../audio-clip/public.ts';
import { listedClip } from './data.ts';

interface TranscribingProps {
  readonly clip: AudioClip;
  readonly heardUntilMs: number;
}

/** How far the transcription has come, above the words so far. */
export function Transcribing({ clip, heardUntilMs }: TranscribingProps) {
  const { data: listed } = useQuery(listedClip(clip));
  const lengthMs = Math.max(lengthMsOf(listed ?? clip), heardUntilMs);
  return (
    <div class="transcribing quiet">
      <span role="status">Transcribing. The words appear here as they are heard.</span>
      <Progress value={(100 * heardUntilMs) / lengthMs} label="Progress of the transcription" />
      <span class="figures">
        {positionText(heardUntilMs)} of {positionText(lengthMs)}
      </span>
    </div>
  );
}
