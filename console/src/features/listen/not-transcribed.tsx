import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Caption } from '@earshot/contract/caption';
import type { CaptionProgress } from '@earshot/contract/caption-progress';
import { useEffect } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty } from '../../lib/ui/elements.tsx';
import { isAvailable } from '../audio-clip/public.ts';
import { captionProgress } from './caption-progress.ts';
import { languageMark } from './words.ts';

interface EmptyTranscriptProps {
  readonly caption: Caption;
  readonly onWrite: (() => void) | undefined;
}

export function EmptyTranscript({ caption, onWrite }: EmptyTranscriptProps) {
  const write = onWrite && <Button onClick={onWrite}>Write transcript</Button>;
  if (caption.isLanguageKnown === false) {
    return (
      <Empty icon="alert" title={languageMark(caption) ?? 'Not understood'} action={write}>
        The clip contains speech that the speech engine could not write down.
      </Empty>
    );
  }
  return (
    <Empty icon="wave" title="No speech found" action={write}>
      The clip was transcribed and contains no speech.
    </Empty>
  );
}

interface NotTranscribedProps {
  readonly clip: AudioClip;
  readonly deviceSerial: string | undefined;
  /** Undefined if the person may not write. */
  readonly onWrite: (() => void) | undefined;
}

export function NotTranscribed({ clip, deviceSerial, onWrite }: NotTranscribedProps) {
  const { data: progress } = useQuery(captionProgress);
  const isReady = progress?.state === 'ready';
  useEffect(() => {
    // The live stream does not report that an engine is ready, so poll.
    const timer = isReady ? undefined : setInterval(() => refresh([captionProgress.key]), 3_000);
    return () => clearInterval(timer);
  }, [isReady]);
  const ask = () =>
    attempt(async () => {
      const params = { deviceSerial: deviceSerial ?? '' };
      await api.captionAudio({ params, body: { audioClips: [clip.key ?? 0] } });
      showToast('Transcription requested.');
    });
  if (!isAvailable(clip)) {
    return (
      <Empty icon="wave" title="Not transcribed yet">
        The clip can be transcribed after its audio is uploaded.
      </Empty>
    );
  }
  const [title, text] = progressText(progress);
  const actions = onWrite && (
    <div class="buttons">
      {deviceSerial && <Button onClick={() => void ask()}>Transcribe</Button>}
      <Button kind="quiet" onClick={onWrite}>
        Write transcript
      </Button>
    </div>
  );
  return (
    <div role="status">
      <Empty icon="wave" title={title} action={actions}>
        {text}
      </Empty>
    </div>
  );
}

function progressText(progress: CaptionProgress | undefined): readonly [title: string, text: string] {
  const ahead = (progress?.waitingCount ?? 0) + (progress?.workingCount ?? 0);
  if (progress?.state === 'unavailable') {
    return [
      'Transcription is not available',
      progress.reason ?? 'No speech engine is running. Clips wait until one is.',
    ];
  }
  if (progress?.state === 'preparing')
    return ['The speech engine is starting', 'The transcript appears here when it is ready.'];
  if (ahead > 0) {
    const jobs = ahead === 1 ? '1 job' : `${ahead} jobs`;
    return ['Transcribing', `${jobs} in progress. The transcript appears here when it is ready.`];
  }
  return ['Not transcribed yet', 'Start the transcription, or write the transcript yourself.'];
}
