import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { countText } from '../../lib/ui/count-text.ts';
import { Button } from '../../lib/ui/button.tsx';
import type { Correction } from './correction.ts';
import type { TextMatch } from './find.ts';
import { findInTranscript, replaceMatches } from './find.ts';
import type { Line } from './words.ts';

export interface Finding {
  readonly matches: readonly TextMatch[];
  readonly match: TextMatch | undefined;
}

export const noFinding: Finding = { matches: [], match: undefined };

interface FindBarProps {
  readonly lines: readonly Line[];
  readonly correction: Correction;
  readonly mayEdit: boolean;
  /** Search begins at this word. */
  readonly from: () => number;
  readonly onFind: (finding: Finding) => void;
  /** Called before words are replaced. */
  readonly onReplace: () => void;
  readonly onClose: () => void;
}

/** Finds a text in the transcript, and replaces it. */
export function FindBar({ lines, correction, mayEdit, from, onFind, onReplace, onClose }: FindBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const [wanted, setWanted] = useState('');
  const [isWholeWord, setWholeWord] = useState(false);
  const [shown, setShown] = useState(0);
  const [notice, setNotice] = useState('');
  const edits = correction.edits.value;
  const matches = useMemo(
    () => findInTranscript(lines, edits, wanted, { isWholeWord }),
    [lines, edits, wanted, isWholeWord],
  );
  const at = Math.min(shown, matches.length - 1);

  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(() => onFind({ matches, match: matches[at] }), [matches, at]);
  useEffect(() => () => onFind(noFinding), []);

  /** A new text is found from the current position on. */
  const find = (text: string, whole: boolean) => {
    setWanted(text);
    setWholeWord(whole);
    setNotice('');
    const place = from();
    const after = findInTranscript(lines, edits, text, { isWholeWord: whole }).findIndex(({ first }) => first >= place);
    setShown(Math.max(0, after));
  };
  const go = (step: 1 | -1) => {
    setNotice('');
    if (matches.length > 0) setShown((at + step + matches.length) % matches.length);
  };
  const replace = (chosen: readonly TextMatch[], replacement: string) => {
    if (chosen.length === 0) return;
    onReplace();
    correction.change(replaceMatches(lines, correction.edits.peek(), chosen, replacement));
    setNotice(`${countText(chosen.length, 'match', 'matches')} replaced.`);
    setShown(at);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose();
  };
  const count =
    wanted.trim() === ''
      ? ''
      : matches.length === 0
        ? 'No matches'
        : `${(at + 1).toLocaleString('en')} of ${matches.length.toLocaleString('en')}`;
  return (
    <div class="find-bar" role="search" aria-label="Find in this transcript" onKeyDown={onKey}>
      <div class="find-line">
        <input
          ref={input}
          class="input"
          type="text"
          data-search
          aria-label="Find"
          placeholder="Find in this transcript"
          autoComplete="off"
          dir="auto"
          maxLength={200}
          value={wanted}
          onInput={({ currentTarget }) => find(currentTarget.value, isWholeWord)}
          onKeyDown={(event) => onEnter(event, () => go(event.shiftKey ? -1 : 1))}
        />
        <span class="find-count quiet" role="status">
          {notice || count}
        </span>
        <Button small kind="quiet" icon="back" label="Previous match" onClick={() => go(-1)} />
        <Button small kind="quiet" icon="next" label="Next match" onClick={() => go(1)} />
        <button
          class="button quiet small toggle"
          type="button"
          aria-pressed={isWholeWord}
          onClick={() => find(wanted, !isWholeWord)}
        >
          Whole words
        </button>
        <Button small kind="quiet" icon="close" label="Close find" onClick={onClose} />
      </div>
      {mayEdit && (
        <ReplaceLine
          canReplace={matches.length > 0}
          onReplace={(text) => replace(matches.slice(at, at + 1), text)}
          onReplaceAll={(text) => replace(matches, text)}
        />
      )}
    </div>
  );
}

interface ReplaceLineProps {
  readonly canReplace: boolean;
  readonly onReplace: (text: string) => void;
  readonly onReplaceAll: (text: string) => void;
}

function ReplaceLine({ canReplace, onReplace, onReplaceAll }: ReplaceLineProps) {
  const [text, setText] = useState('');
  return (
    <div class="find-line">
      <input
        class="input"
        type="text"
        aria-label="Replace with"
        placeholder="Replace with"
        autoComplete="off"
        dir="auto"
        maxLength={200}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => onEnter(event, () => onReplace(text))}
      />
      <Button small busy={!canReplace} onClick={() => onReplace(text)}>
        Replace
      </Button>
      <Button small busy={!canReplace} onClick={() => onReplaceAll(text)}>
        Replace all
      </Button>
    </div>
  );
}

function onEnter(event: KeyboardEvent, act: () => void): void {
  if (event.key !== 'Enter' || event.isComposing) return;
  event.preventDefault();
  act();
}
