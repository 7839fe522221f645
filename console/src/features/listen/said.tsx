import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Caption, CaptionProgress } from '@earshot/contract/caption';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../../app/api.ts';
import { attempt } from '../../app/attempt.ts';
import { WhenLoaded } from '../../app/loaded.tsx';
import { refresh, useQuery } from '../../app/query.ts';
import { place } from '../../app/router.ts';
import { say } from '../../app/toasts.ts';
import { Badge, Empty, Section } from '../../ui/bits.tsx';
import { Button } from '../../ui/button.tsx';
import { captionOf, captionProgress, hasSound } from './data.ts';
import { EditTranscript } from './edit.tsx';
import { Transcript } from './transcript.tsx';
import { VersionsDialog } from './versions-dialog.tsx';

interface SaidProps {
  readonly clip: AudioClip;
  readonly deviceSerial: string | undefined;
}

/** What is said in the clip: to read along, to correct, or why there is nothing yet. */
export function Said({ clip, deviceSerial }: SaidProps) {
  const clipID = clip.key ?? 0;
  const caption = useQuery(captionOf(clipID));
  const [shows, setShows] = useState<'words' | 'edit' | 'versions'>('words');
  const { data } = caption;
  const edit = () => setShows('edit');
  const close = () => setShows('words');
  const isEmpty = !data || data.segments.length === 0;
  return (
    <Section title="What is said" action={data && <SaidActions caption={data} shows={shows} onShow={setShows} />}>
      <WhenLoaded from={caption} rows={4}>
        {(found) => {
          if (shows === 'edit') return <EditTranscript clipID={clipID} caption={found} onClose={close} />;
          if (!found) return <NotListenedTo clip={clip} deviceSerial={deviceSerial} onWrite={edit} />;
          if (isEmpty) return <NoWords caption={found} onWrite={edit} />;
          return <Transcript caption={found} searchText={place.value.query.get('q') ?? ''} />;
        }}
      </WhenLoaded>
      {shows === 'versions' && <VersionsDialog clipID={clipID} onClose={close} />}
    </Section>
  );
}

interface SaidActionsProps {
  readonly caption: Caption;
  readonly shows: string;
  readonly onShow: (what: 'words' | 'edit' | 'versions') => void;
}

function SaidActions({ caption, shows, onShow }: SaidActionsProps) {
  const isEmpty = caption.segments.length === 0;
  return (
    <span class="said-actions">
      {caption.isLanguageKnown === false && !isEmpty && <Badge tone="warn">Language not known</Badge>}
      {caption.correctedBy !== undefined && <Badge tone="good">Corrected</Badge>}
      <Button small kind="quiet" icon="history" label="Versions" onClick={() => onShow('versions')} />
      {shows !== 'edit' && (
        <Button small icon="edit" label="Correct the words" onClick={() => onShow('edit')}>
          Correct
        </Button>
      )}
    </span>
  );
}

function NoWords({ caption, onWrite }: { readonly caption: Caption; readonly onWrite: () => void }) {
  const write = <Button onClick={onWrite}>Write the words by hand</Button>;
  if (caption.isLanguageKnown === false) {
    return (
      <Empty icon="alert" title="Somebody speaks, in a language that is not known here" action={write}>
        The engine on this machine does not know it. Another engine may.
      </Empty>
    );
  }
  return (
    <Empty icon="wave" title="Nothing was said" action={write}>
      The clip has been listened to, and nobody speaks in it.
    </Empty>
  );
}

interface NotListenedToProps extends SaidProps {
  readonly onWrite: () => void;
}

function NotListenedTo({ clip, deviceSerial, onWrite }: NotListenedToProps) {
  const { data: progress } = useQuery(captionProgress);
  const isReady = progress?.state === 'ready';
  useEffect(() => {
    // No change tells that an engine has become ready.
    const timer = isReady ? undefined : setInterval(() => refresh([captionProgress.key]), 3_000);
    return () => clearInterval(timer);
  }, [isReady]);
  const ask = () =>
    attempt(async () => {
      const params = { deviceSerial: deviceSerial ?? '' };
      await api.captionAudio({ params, body: { audioClips: [clip.key ?? 0] } });
      say('It will be listened to.');
    });
  if (!hasSound(clip)) {
    return (
      <Empty icon="wave" title="Nobody has listened to it yet">
        The words come by themselves once the sound is here.
      </Empty>
    );
  }
  const [title, text] = howFar(progress);
  const actions = (
    <div class="buttons">
      {deviceSerial && <Button onClick={() => void ask()}>Have it listened to</Button>}
      <Button kind="quiet" onClick={onWrite}>
        Write by hand
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

function howFar(progress: CaptionProgress | undefined): readonly [title: string, text: string] {
  const ahead = (progress?.waitingCount ?? 0) + (progress?.workingCount ?? 0);
  if (progress?.state === 'unavailable') {
    return ['Nobody listens at the moment', progress.reason ?? 'No engine is at work. Clips wait until there is one.'];
  }
  if (progress?.state === 'preparing')
    return ['The ears are being made ready', 'The words show here as soon as they are there.'];
  if (ahead > 0) {
    const clips = ahead === 1 ? 'One job is' : `${ahead} jobs are`;
    return ['Being listened to', `${clips} under way. The words show here as soon as they are there.`];
  }
  return ['Nobody has listened to it yet', 'Ask for it, and the words show here.'];
}
