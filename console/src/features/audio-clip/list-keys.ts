import { useEffect, useRef } from 'preact/hooks';
import { isTyping, pageKeys } from '../../lib/page-keys.ts';

export interface ListActs {
  readonly move: (step: 1 | -1, isExtending: boolean) => void;
  readonly play: () => void;
  readonly seek: (seconds: number) => void;
  readonly open: () => void;
  readonly select: (isRange: boolean) => void;
  readonly playOn: () => void;
  readonly clear: () => void;
}

const help = [
  ['j k', 'Next or previous clip'],
  ['Space', 'Play or pause the clip'],
  ['← →', 'Back or forward 5 seconds'],
  ['Enter', 'Open the clip'],
  ['x', 'Select the clip'],
  ['Shift x', 'Select all clips from the last selected one'],
  ['Shift j k', 'Extend the selection'],
  ['c', 'Play continuously'],
  ['Esc', 'Clear the selection'],
] as const;

/** Whether the focused element handles the key itself. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return true;
  if (document.querySelector('dialog[open]')) return true;
  const on = event.target instanceof Element ? event.target.closest('button, a, input, [role=menu]') : null;
  if (event.key === 'Enter') return on !== null;
  // A link does nothing with Space.
  return event.key === ' ' && on !== null && on.tagName !== 'A';
}

/** The keys of the list, while the component is mounted. */
export function useListKeys(acts: ListActs): void {
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTaken(event)) return;
      const { move, play, seek, open, select, playOn, clear } = latest.current;
      const keys: Readonly<Record<string, () => void>> = {
        j: () => move(1, false),
        k: () => move(-1, false),
        J: () => move(1, true),
        K: () => move(-1, true),
        ' ': play,
        ArrowLeft: () => seek(-5),
        ArrowRight: () => seek(5),
        Enter: open,
        x: () => select(false),
        X: () => select(true),
        c: playOn,
        Escape: clear,
      };
      const act = keys[event.key];
      if (!act) return;
      act();
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    pageKeys.value = help;
    return () => {
      document.removeEventListener('keydown', onKey);
      pageKeys.value = [];
    };
  }, []);
}
