import { useEffect } from 'preact/hooks';
import { player } from '../../lib/player.ts';

interface MediaSessionParts {
  readonly title: string;
  readonly artist: string;
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
}

const stepMs = 10_000;

/** The controls of the system: keys of a keyboard, the lock screen of a phone, a headset. */
export function useMediaSession({ title, artist, previous, next }: MediaSessionParts): void {
  const isPlaying = player.isPlaying.value;
  const durationMs = player.durationMs.value;
  const rate = player.rate.value;
  useEffect(() => {
    const session = navigator.mediaSession as MediaSession | undefined;
    if (!session) return;
    session.metadata = new MediaMetadata({ title, artist });
    return () => {
      session.metadata = null;
      session.playbackState = 'none';
    };
  }, [title, artist]);
  useEffect(() => {
    const session = navigator.mediaSession as MediaSession | undefined;
    if (!session) return;
    const handlers: Readonly<Partial<Record<MediaSessionAction, MediaSessionActionHandler | null>>> = {
      play: () => player.play(),
      pause: () => player.pause(),
      stop: () => player.close(),
      previoustrack: previous ?? null,
      nexttrack: next ?? null,
      seekbackward: ({ seekOffset }) => player.seek(player.ms - (seekOffset ? seekOffset * 1_000 : stepMs)),
      seekforward: ({ seekOffset }) => player.seek(player.ms + (seekOffset ? seekOffset * 1_000 : stepMs)),
      seekto: ({ seekTime }) => seekTime !== undefined && player.seek(seekTime * 1_000),
    };
    const set = (action: string, handler: MediaSessionActionHandler | null) => {
      try {
        session.setActionHandler(action as MediaSessionAction, handler);
      } catch {
        // Not every browser knows every action.
      }
    };
    for (const [action, handler] of Object.entries(handlers)) set(action, handler);
    return () => Object.keys(handlers).forEach((action) => set(action, null));
  }, [previous, next]);
  useEffect(() => {
    const session = navigator.mediaSession as MediaSession | undefined;
    if (!session) return;
    session.playbackState = isPlaying ? 'playing' : 'paused';
    if (durationMs > 0) {
      const position = Math.min(player.ms, durationMs) / 1_000;
      session.setPositionState({ duration: durationMs / 1_000, position, playbackRate: rate });
    }
  }, [isPlaying, durationMs, rate]);
}
