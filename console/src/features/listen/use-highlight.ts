import { useEffect, useRef } from 'preact/hooks';
import { player } from '../../lib/player.ts';
import type { Line } from './words.ts';
import { lastStartedLine, wordAt } from './words.ts';

/**
 * Highlights the word that is played. That changes two elements and renders nothing; the returned function highlights
 * the word again after a render. `onMove` is called when another line or word is played.
 */
export function useHighlight(
  lines: readonly Line[],
  elementOf: (word: number) => HTMLElement | undefined,
  onMove: (line: number, word: number) => void,
): () => void {
  const lit = useRef(-1);
  useEffect(() => {
    let shownLine = -1;
    const stop = player.onFrame((ms) => {
      const word = wordAt(lines, ms);
      const line = lastStartedLine(lines, ms);
      if (word === lit.current && line === shownLine) return;
      elementOf(lit.current)?.classList.remove('lit');
      elementOf(word)?.classList.add('lit');
      lit.current = word;
      shownLine = line;
      if (ms > 0) onMove(line, word);
    });
    return () => {
      stop();
      elementOf(lit.current)?.classList.remove('lit');
      lit.current = -1;
    };
  }, [lines]);
  return () => elementOf(lit.current)?.classList.add('lit');
}
