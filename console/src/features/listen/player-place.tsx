import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { currentLocation } from '../../lib/location.ts';
import { player } from '../../lib/player.ts';
import type { PlayerBarProps } from './player-bar.tsx';

/** The bar of the player, on every page but that of the clip, which has a larger one. Loaded when something plays. */
export function PlayerPlace() {
  const [loaded, setLoaded] = useState<{ readonly bar: ComponentType<PlayerBarProps> }>();
  const clipID = player.clipID.value;
  const hasBegun = clipID !== 0 && player.hasBegun.value;
  useEffect(() => {
    if (!hasBegun || loaded) return;
    import('./player-bar.tsx').then(
      ({ PlayerBar }) => setLoaded({ bar: PlayerBar }),
      () => {
        // Offline: the sound goes on, and its page has controls.
      },
    );
  }, [hasBegun]);
  const Bar = loaded?.bar;
  return hasBegun && Bar ? <Bar clipID={clipID} isHidden={currentLocation.value.path === `/clips/${clipID}`} /> : null;
}
