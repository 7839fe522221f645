import { useEffect } from 'preact/hooks';
import { refresh } from './query.ts';

const everyMs = 10_000;

/** Reloads data that the live stream does not carry, while the component is mounted and the page is visible. */
export function useReload(key: string): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') refresh([key]);
    }, everyMs);
    return () => clearInterval(timer);
  }, [key]);
}
