import { useEffect, useRef } from 'preact/hooks';
import { positionText } from '../../lib/ui/times.ts';
import type { Edits } from './edits.ts';
import { editedText } from './edits.ts';
import type { Line } from './words.ts';

interface PrintTranscriptProps {
  readonly lines: readonly Line[];
  readonly edits: Edits;
}

/** All lines, for printing: the page shows only those near the screen. Filled when the browser begins to print. */
export function PrintTranscript({ lines, edits }: PrintTranscriptProps) {
  const table = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const print = matchMedia('print');
    const fill = () => table.current?.replaceChildren(...lines.map((line) => writeLine(line, edits)));
    const empty = () => table.current?.replaceChildren();
    const onChange = () => (print.matches ? fill() : empty());
    if (print.matches) fill();
    addEventListener('beforeprint', fill);
    addEventListener('afterprint', empty);
    print.addEventListener('change', onChange);
    return () => {
      removeEventListener('beforeprint', fill);
      removeEventListener('afterprint', empty);
      print.removeEventListener('change', onChange);
    };
  }, [lines, edits]);
  return <div class="print-transcript" ref={table} />;
}

function writeLine({ startMs, words, first, note, unconfirmed }: Line, edits: Edits): HTMLElement {
  const line = document.createElement('p');
  const time = document.createElement('span');
  const text = document.createElement('span');
  time.textContent = positionText(startMs);
  text.dir = 'auto';
  text.textContent = words
    .map((word, index) => editedText(edits, first + index, word.text))
    .concat(note === undefined ? '' : `[${note}]`, unconfirmed?.text ?? '')
    .filter((word) => word !== '')
    .join(' ');
  line.append(time, text);
  return line;
}
