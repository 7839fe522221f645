import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import type { Device } from '@earshot/contract/device';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { player, playsOn } from '../../lib/player.ts';
import type { Query } from '../../lib/query.ts';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { dayAndMinute } from '../../lib/ui/clock.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { positionText } from '../../lib/ui/times.ts';
import { isAvailable, startOf } from '../audio-clip/public.ts';
import { nameOf, oneDevice } from '../device/public.ts';
import { talkgroupText } from '../talkgroup/public.ts';
import { PlayButton, Speed } from './controls.tsx';
import type { Neighbours } from './data.ts';
import { listedClip, neighboursOf, oneClip } from './data.ts';
import { Loudness } from './loudness.tsx';
import { useMediaSession } from './media-session.ts';

export interface PlayerBarProps {
  readonly clipID: number;
  /** On the page of the clip only the controls of the system are kept up to date. */
  readonly isHidden: boolean;
}

/** Until the clip is there. */
const noDevice: Query<Device> = { key: 'no device', load: () => Promise.resolve({}) };

const notListed: Query<PagedAudioClip | null> = { key: 'not listed', load: () => Promise.resolve(null) };
const noNeighbours: Query<Neighbours> = {
  key: 'no neighbours',
  load: () => Promise.resolve({ previous: undefined, next: undefined }),
};

const playOther = (clipID: number) => () => {
  player.open(clipID);
  player.play();
};

export function PlayerBar({ clipID, isHidden }: PlayerBarProps) {
  const { data: clip } = useQuery(oneClip(clipID));
  const { data: device } = useQuery(clip ? oneDevice(clip.deviceID ?? 0) : noDevice);
  const { previous, next } = useNeighbours(clipID);
  const { data: listed } = useQuery(clip ? listedClip(clip) : notListed);
  const call = listed?.radioCall;
  const name = call ? talkgroupText(call) : device ? nameOf(device) : '';
  const when = clip ? dayAndMinute(startOf(clip)) : '';
  const back = useMemo(() => (previous === undefined ? undefined : playOther(previous)), [previous]);
  const on = useMemo(() => (next === undefined ? undefined : playOther(next)), [next]);
  useMediaSession({ title: name || 'Clip', artist: when, previous: back, next: on });
  useEffect(() => {
    // A page that plays its list on does so itself.
    if (player.onNext === undefined && playsOn.value) player.prepare(next);
  }, [next, playsOn.value, isHidden]);
  if (isHidden) return null;
  return (
    <section class="player-bar" aria-label="Player">
      <Seek clipID={clipID} />
      <div class="player-bar-main">
        <Button kind="quiet" icon="skipBack" label="Previous clip" busy={!back} {...(back ? { onClick: back } : {})} />
        <PlayButton label=" the sound" />
        <Button kind="quiet" icon="skipOn" label="Next clip" busy={!on} {...(on ? { onClick: on } : {})} />
      </div>
      <a class="player-bar-what" href={`/clips/${clipID}`}>
        <strong>
          <UserText text={name} />
        </strong>
        <span class="quiet">{player.hasFailed.value ? 'cannot be played' : when}</span>
      </a>
      <Position />
      <div class="player-bar-more">
        <Loudness />
        <Speed />
      </div>
      <Button kind="quiet" icon="close" label="Close the player" onClick={() => player.close()} />
    </section>
  );
}

/** In the order of the list where playback began, else of the device. */
function useNeighbours(clipID: number): { readonly previous: number | undefined; readonly next: number | undefined } {
  const order = player.order.value;
  const at = order.indexOf(clipID);
  const { data: clip } = useQuery(oneClip(clipID));
  const { data: around } = useQuery(at < 0 && clip ? neighboursOf(clip) : noNeighbours);
  if (at >= 0) return { previous: order[at - 1], next: order[at + 1] };
  const withSound = (which: 'previous' | 'next') => (isAvailable(around?.[which]) ? around?.[which]?.key : undefined);
  return { previous: withSound('previous'), next: withSound('next') };
}

/** Written to the DOM on every frame, without rendering components. */
function Seek({ clipID }: { readonly clipID: number }) {
  const slider = useRef<HTMLInputElement>(null);
  const durationMs = player.durationMs.value;
  useEffect(
    () =>
      player.onFrame((ms) => {
        if (!slider.current) return;
        slider.current.value = String(ms);
        slider.current.style.setProperty('--played', `${durationMs > 0 ? (100 * ms) / durationMs : 0}%`);
        slider.current.setAttribute('aria-valuetext', `${positionText(ms)} of ${positionText(durationMs)}`);
      }),
    [durationMs, clipID],
  );
  return (
    <input
      class="player-bar-seek"
      type="range"
      ref={slider}
      aria-label="Position in the clip"
      min={0}
      max={Math.max(1, durationMs)}
      defaultValue="0"
      onKeyDown={(event) => {
        const step = { ArrowLeft: -5_000, ArrowDown: -5_000, ArrowRight: 5_000, ArrowUp: 5_000 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        player.seek(player.ms + step);
      }}
      onInput={({ currentTarget }) => player.seek(Number(currentTarget.value))}
    />
  );
}

function Position() {
  const place = useRef<HTMLSpanElement>(null);
  const durationMs = player.durationMs.value;
  useEffect(
    () =>
      player.onFrame((ms) => {
        const text = positionText(ms);
        if (place.current && place.current.textContent !== text) place.current.textContent = text;
      }),
    [],
  );
  return (
    <p class="player-bar-position figures">
      <span ref={place} /> <span class="quiet">/ {positionText(durationMs)}</span>
    </p>
  );
}
