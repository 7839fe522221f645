import { useEffect } from 'preact/hooks';
import { effect } from '@preact/signals';
import { player } from '../../lib/player.ts';

export interface InOrder {
  readonly isPlaying: boolean;
  readonly toggle: () => void;
}

/** Plays clips one after the other. A clip without sound is passed over. */
export function usePlayInOrder(clipIDs: readonly number[]): InOrder {
  const id = clipIDs.join(' ');
  useEffect(() => {
    const after = (clipID: number): number | undefined => {
      const at = clipIDs.indexOf(clipID);
      return at < 0 ? undefined : clipIDs[at + 1];
    };
    const prepareNext = (clipID: number) => player.prepare(after(clipID));
    player.onNext = prepareNext;
    const stop = effect(() => {
      const current = player.clipID.value;
      if (current === 0 || !clipIDs.includes(current)) return;
      const next = after(current);
      if (!player.hasFailed.value) return prepareNext(current);
      if (next === undefined) return;
      player.open(next);
      player.play();
    });
    return () => {
      stop();
      player.onNext = undefined;
      player.prepare(undefined);
      player.leave();
    };
  }, [id]);
  const isOurs = clipIDs.includes(player.clipID.value);
  const [first] = clipIDs;
  return {
    isPlaying: isOurs && player.isPlaying.value,
    toggle: () => {
      if (isOurs) return player.toggle();
      if (first === undefined) return;
      player.open(first);
      player.order.value = clipIDs;
      player.play();
    },
  };
}
