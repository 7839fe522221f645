import type { Caption } from '@earshot/contract/caption';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { player } from '../../lib/player.ts';
import { matchedWords } from '../../lib/search-match.ts';
import { Badge } from '../../lib/ui/elements.tsx';
import { positionText } from '../../lib/ui/times.ts';
import { keepInView } from './keep-in-view.ts';
import { type Line, linesOf, wordAt, wordsOf } from './words.ts';

interface TranscriptProps {
  readonly caption: Caption;
  /** Matching words are marked. */
  readonly searchText: string;
}

/**
 * The transcript, with the current word highlighted. For screen readers it is plain text with one button for each line,
 * because a button for each word would be too many. Highlighting changes two elements and renders nothing.
 */
export function Transcript({ caption, searchText }: TranscriptProps) {
  const root = useRef<HTMLOListElement>(null);
  const lines = useMemo(() => linesOf(caption), [caption]);
  const words = useMemo(() => wordsOf(lines), [lines]);
  const { transcript = '' } = caption;
  const found = useMemo(() => matchedWords(transcript, words, searchText), [transcript, words, searchText]);

  useEffect(() => {
    const elements = [...(root.current?.querySelectorAll<HTMLElement>('.word') ?? [])];
    const view = keepInView();
    let lit = -1;
    const stop = player.onFrame((ms) => {
      const current = wordAt(words, ms);
      if (current === lit) return;
      elements[lit]?.classList.remove('lit');
      elements[current]?.classList.add('lit');
      lit = current;
      if (elements[current]) view.show(elements[current], player.isPlaying.peek());
    });
    return () => {
      stop();
      view.stop();
      elements[lit]?.classList.remove('lit');
    };
  }, [words, found]);

  const click = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('.word, .line-time') : null;
    // Selecting text must not seek.
    const isSelecting = target?.classList.contains('word') && getSelection()?.isCollapsed === false;
    if (!target || isSelecting) return;
    player.seek(Number(target.dataset['ms']));
  };
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const buttons = [...(root.current?.querySelectorAll<HTMLElement>('.line-time') ?? [])];
    const at = buttons.indexOf(event.target as HTMLElement);
    const next = buttons[at + by];
    if (by === 0 || at < 0 || !next) return;
    event.preventDefault();
    buttons[at]?.setAttribute('tabindex', '-1');
    next.setAttribute('tabindex', '0');
    next.focus();
  };

  // Memoised, so that other updates do not render all words again.
  const shown = useMemo(
    () => lines.map((line, at) => <TranscriptLine key={at} line={line} found={found} isFirst={at === 0} />),
    [lines, found],
  );
  return (
    <ol
      class="transcript"
      ref={root}
      lang={languageOf(caption)}
      aria-label="Transcript"
      onClick={click}
      onKeyDown={step}
    >
      {shown}
    </ol>
  );
}

/** Language tag for screen readers; undefined if it is not a valid tag. */
const languageOf = ({ language = '', isLanguageKnown }: Caption): string | undefined =>
  isLanguageKnown !== false && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language) ? language : undefined;

interface TranscriptLineProps {
  readonly line: Line;
  readonly found: ReadonlySet<number>;
  readonly isFirst: boolean;
}

function TranscriptLine({ line: { startMs, words, first, isLanguageKnown }, found, isFirst }: TranscriptLineProps) {
  return (
    <li class="line">
      <button
        type="button"
        class="line-time"
        data-ms={startMs}
        tabIndex={isFirst ? 0 : -1}
        aria-label={`Go to ${positionText(startMs)}`}
      >
        {positionText(startMs)}
      </button>
      <p class="line-text" dir="auto">
        {words.flatMap(({ text, startMs: ms }, at) => [
          <span key={at} class={found.has(first + at) ? 'word found' : 'word'} data-ms={ms}>
            {text}
          </span>,
          ' ',
        ])}
        {!isLanguageKnown && <Badge tone="warn">Unknown language</Badge>}
      </p>
    </li>
  );
}
