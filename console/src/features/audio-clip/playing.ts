import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { useEffect } from 'preact/hooks';
import { player, playsOn } from '../../lib/player.ts';
import { isAvailable } from './clip-state.ts';

/** The next clip with sound, in the order of the list. */
function nextWithSound(clips: readonly PagedAudioClip[], key: number): PagedAudioClip | undefined {
  const at = clips.findIndex((clip) => clip.key === key);
  return at < 0 ? undefined : clips.slice(at + 1).find(isAvailable);
}

export function playClip(clip: PagedAudioClip, atMs?: number): void {
  if (!isAvailable(clip)) return;
  player.open(clip.key ?? 0, atMs);
  player.play();
}

/** Plays or pauses a clip in its row. */
export function togglePlay(clip: PagedAudioClip): void {
  if (player.clipID.peek() === clip.key) player.toggle();
  else playClip(clip);
}

/** The next clip with sound is looked for among this many clips. */
const mostSearched = 5_000;

interface PlayOn {
  readonly clips: readonly PagedAudioClip[];
  /** Called with the clip that begins by itself. */
  readonly onNext: (clip: PagedAudioClip) => void;
  /** Loads more clips, if there are more. */
  readonly onMore: () => void;
}

/**
 * Plays the list on, while the component is mounted: downwards, as it is listed, clips without sound left out.
 */
export function usePlayOn({ clips, onNext, onMore }: PlayOn): void {
  const open = player.clipID.value;
  const next = playsOn.value ? nextWithSound(clips, open) : undefined;
  const needsMore = playsOn.value && open !== 0 && next === undefined && clips.length < mostSearched;
  const isStuck = player.hasFailed.value && next !== undefined;
  useEffect(() => {
    player.prepare(next?.key);
    player.onNext = () => next && onNext(next);
  }, [next?.key]);
  useEffect(() => {
    if (needsMore) onMore();
  }, [needsMore, clips.length]);
  // Sound that cannot be played does not end the review.
  useEffect(() => {
    if (!isStuck || !next) return;
    playClip(next);
    onNext(next);
  }, [isStuck]);
  // The bar of the player moves in the same order, also on other pages.
  useEffect(() => {
    if (clips.some(({ key }) => key === open)) player.order.value = clips.filter(isAvailable).map(({ key = 0 }) => key);
  }, [clips, open]);
  useEffect(
    () => () => {
      player.prepare(undefined);
      player.onNext = undefined;
      player.leave();
    },
    [],
  );
}
