import type { AudioClip } from '@earshot/contract/audio-clip';
import { createAudioClipTag } from '@earshot/contract/tag';
import { deleteAudioClipVersion } from '@earshot/contract/audio-clip-version';
import { useEffect } from 'preact/hooks';
import type { PageProps } from '../../lib/lazy-page.tsx';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation } from '../../lib/location.ts';
import { player } from '../../lib/player.ts';
import { useQuery } from '../../lib/query.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { isAvailable, startOf } from '../audio-clip/public.ts';
import { oneDevice } from '../device/public.ts';
import { may } from '../right/public.ts';
import { ClipRules } from '../rule/public.tsx';
import { oneClip, recordingOf, tagsOf } from './data.ts';
import { Details } from './details.tsx';
import { FormerSound } from './former-sound.tsx';
import { ListenHead } from './head.tsx';
import { PlayerCard } from './player-card.tsx';
import { PrefetchCaption } from './prefetch-clip.tsx';
import { RadioFacts } from './radio-facts.tsx';
import { NoSound } from './sound-state.tsx';
import { Tags, placeTags } from './tags.tsx';
import { TranscriptSection } from './transcript-section.tsx';

export function ListenPage({ id }: PageProps) {
  const clip = useQuery(oneClip(id));
  // Only a search writes words and a position into the address, and what it finds has a transcript.
  const { query } = currentLocation.value;
  const isHit = query.has('q') && query.has('t');
  return (
    <>
      {isHit && <PrefetchCaption clipID={id} />}
      <WhenLoaded from={clip}>{(data) => <Listen clip={data} />}</WhenLoaded>
    </>
  );
}

/** The position in the address, in milliseconds. */
function addressMs(): number | undefined {
  const seconds = Number.parseFloat(currentLocation.value.query.get('t') ?? '');
  return Number.isFinite(seconds) && seconds >= 0 ? Math.round(seconds * 1_000) : undefined;
}

function Listen({ clip }: { readonly clip: AudioClip }) {
  const { key = 0, deviceID = 0, fileID } = clip;
  const { data: device } = useQuery(oneDevice(deviceID));
  const { data: found = [] } = useQuery(tagsOf(key));
  const { data: recording } = useQuery(recordingOf(key));
  const startMs = startOf(clip);
  const tags = placeTags(found, startMs);
  const hasAudio = isAvailable(clip);
  const atMs = addressMs();

  useEffect(() => {
    if (!hasAudio) return;
    player.open(key);
    return () => {
      // Not if the next clip is already open.
      if (player.clipID.peek() === key) player.leave();
    };
  }, [key, hasAudio, fileID]);
  useEffect(() => {
    if (hasAudio && atMs !== undefined) player.seek(atMs);
  }, [key, hasAudio, atMs]);

  return (
    <>
      <ListenHead clip={clip} device={device} />
      {recording?.soundFault && (
        <p class="notice" role="note">
          <span>
            <strong>The file is damaged.</strong> <UserText text={recording.soundFault} />
          </span>
        </p>
      )}
      {hasAudio ? <PlayerCard clip={clip} zone={device?.timeZone} tags={tags} /> : <NoSound clip={clip} />}
      <div class="listen-columns">
        <TranscriptSection clip={clip} deviceSerial={device?.deviceSerial} atMs={atMs} />
        <div>
          <RadioFacts clip={clip} />
          <Tags clipID={key} startMs={startMs} tags={tags} mayEdit={may(createAudioClipTag, { deviceID })} />
          <Details clip={clip} device={device} recording={recording} />
          <ClipRules audioClipID={key} />
          {may(deleteAudioClipVersion, { deviceID }) && <FormerSound clipID={key} />}
        </div>
      </div>
    </>
  );
}
