import { useEffect, useRef } from 'preact/hooks';
import { isTyping } from '../../lib/page-keys.ts';
import { player } from '../../lib/player.ts';

interface TranscriptKeys {
  readonly openFind: () => void;
  /** Goes to the next doubtful word, or to the previous one. */
  readonly goDoubtful: (step: 1 | -1) => void;
  /** Undefined if the person may not correct the transcript. */
  readonly save: (() => void) | undefined;
  readonly editCurrent: (() => void) | undefined;
  /** Undefined if there are no words to confirm. */
  readonly confirmCurrent: (() => void) | undefined;
}

/** How far back a replay begins. */
const replayMs = 3_000;

export function useTranscriptKeys(acts: TranscriptKeys): void {
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      if (handleCommand(event, latest.current) || handlePlainKey(event, latest.current)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Returns whether the event was one of these keys. */
function handleCommand(event: KeyboardEvent, { openFind, save }: TranscriptKeys): boolean {
  if (!event.ctrlKey && !event.metaKey) return false;
  if (event.code === 'KeyF' && !event.shiftKey && !event.altKey) {
    // A second time, the browser's own find opens.
    if (event.target instanceof Element && event.target.closest('.find-bar')) return false;
    openFind();
  } else if (event.code === 'KeyS' && save) save();
  else return false;
  return true;
}

function handlePlainKey(
  event: KeyboardEvent,
  { openFind, goDoubtful, editCurrent, confirmCurrent }: TranscriptKeys,
): boolean {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return false;
  const isOnControl = target instanceof Element && target.closest('button, a, [role=slider]') !== null;
  if (key === 'f') openFind();
  else if (key === 'd') goDoubtful(1);
  else if (key === 'D') goDoubtful(-1);
  else if (key === 'r') {
    player.seek(player.ms - replayMs);
    player.play();
  } else if (confirmCurrent && key === 'c') confirmCurrent();
  else if (editCurrent && (key === 'e' || (key === 'Enter' && !isOnControl))) editCurrent();
  else return false;
  return true;
}
