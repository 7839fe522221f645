import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Caption, CaptionProgress } from '@earshot/contract/caption';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation } from '../../lib/location.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Badge, Empty, Section } from '../../lib/ui/elements.tsx';
import { isAvailable } from '../audio-clip/public.ts';
import { captionOf } from './data.ts';
import { EditTranscript } from './edit.tsx';
import { captionProgress } from './public.ts';
import { Transcript } from './transcript.tsx';
import { VersionsDialog } from './versions-dialog.tsx';

interface TranscriptSectionProps {
  readonly clip: AudioClip;
  readonly deviceSerial: string | undefined;
}

/** The transcript of the clip, its editor, or the reason why there is none yet. */
export function TranscriptSection({ clip, deviceSerial }: TranscriptSectionProps) {
  const clipID = clip.key ?? 0;
  const caption = useQuery(captionOf(clipID));
  const [shows, setShows] = useState<'words' | 'edit' | 'versions'>('words');
  const { data } = caption;
  const edit = () => setShows('edit');
  const close = () => setShows('words');
  const isEmpty = !data || data.segments.length === 0;
  return (
    <Section title="Transcript" action={data && <TranscriptActions caption={data} shows={shows} onShow={setShows} />}>
      <WhenLoaded from={caption} rows={4}>
        {(found) => {
          if (shows === 'edit') return <EditTranscript clipID={clipID} caption={found} onClose={close} />;
          if (!found) return <NotTranscribed clip={clip} deviceSerial={deviceSerial} onWrite={edit} />;
          if (isEmpty) return <EmptyTranscript caption={found} onWrite={edit} />;
          return <Transcript caption={found} searchText={currentLocation.value.query.get('q') ?? ''} />;
        }}
      </WhenLoaded>
      {shows === 'versions' && <VersionsDialog clipID={clipID} onClose={close} />}
    </Section>
  );
}

interface TranscriptActionsProps {
  readonly caption: Caption;
  readonly shows: string;
  readonly onShow: (what: 'words' | 'edit' | 'versions') => void;
}

function TranscriptActions({ caption, shows, onShow }: TranscriptActionsProps) {
  const isEmpty = caption.segments.length === 0;
  return (
    <span class="transcript-actions">
      {caption.isLanguageKnown === false && !isEmpty && <Badge tone="warn">Unknown language</Badge>}
      {caption.correctedBy !== undefined && <Badge tone="good">Edited</Badge>}
      <Button small kind="quiet" icon="history" label="Versions" onClick={() => onShow('versions')} />
      {shows !== 'edit' && (
        <Button small icon="edit" label="Edit transcript" onClick={() => onShow('edit')}>
          Edit
        </Button>
      )}
    </span>
  );
}

function EmptyTranscript({ caption, onWrite }: { readonly caption: Caption; readonly onWrite: () => void }) {
  const write = <Button onClick={onWrite}>Write transcript</Button>;
  if (caption.isLanguageKnown === false) {
    return (
      <Empty icon="alert" title="Unknown language" action={write}>
        The clip contains speech in a language that the speech engine does not support.
      </Empty>
    );
  }
  return (
    <Empty icon="wave" title="No speech found" action={write}>
      The clip was transcribed and contains no speech.
    </Empty>
  );
}

interface NotTranscribedProps extends TranscriptSectionProps {
  readonly onWrite: () => void;
}

function NotTranscribed({ clip, deviceSerial, onWrite }: NotTranscribedProps) {
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
  const actions = (
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
