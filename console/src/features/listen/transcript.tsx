import type { Caption } from '@earshot/contract/caption';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { player } from '../../lib/player.ts';
import type { RowsHandle } from '../../lib/ui/measured-rows.tsx';
import { MeasuredRows } from '../../lib/ui/measured-rows.tsx';
import { runInSlices } from '../../lib/slices.ts';
import type { Edits } from './edits.ts';
import type { TextMatch } from './find.ts';
import { findWords } from './found-words.ts';
import { keepInView, watchHands } from './keep-in-view.ts';
import { TranscriptLine } from './transcript-line.tsx';
import { useHighlight } from './use-highlight.ts';
import type { EditorActs } from './marks.ts';
import type { Line } from './words.ts';
import { lastStartedLine, lineOfWord, wordOf } from './words.ts';

interface TranscriptProps {
  readonly caption: Caption;
  readonly lines: readonly Line[];
  /** Matching words are marked. */
  readonly searchText: string;
  readonly edits: Edits;
  readonly matches: readonly TextMatch[];
  /** The match that is shown. */
  readonly match: TextMatch | undefined;
  /** The word in the editor. */
  readonly editing: number | undefined;
  readonly mayEdit: boolean;
  readonly acts: EditorActs;
  /** The position in the address, for a clip without audio. */
  readonly atMs: number | undefined;
}

/**
 * The transcript, with the current word highlighted. For screen readers it is plain text with one button for each line,
 * because a button for each word would be too many.
 */
export function Transcript(props: TranscriptProps) {
  const { caption, lines, searchText, edits, matches, match, editing, mayEdit, acts, atMs } = props;
  const rows = useRef<RowsHandle>(null);
  const list = useRef<HTMLElement>(undefined);
  const focusRow = useRef(0);
  const wantsFocus = useRef(false);
  const lastClicked = useRef(-1);
  const wasEditing = useRef(false);
  const hands = useMemo(watchHands, []);
  const found = useFoundWords(lines, searchText, atMs);
  const matched = useMemo(() => wordsOfMatches(matches), [matches]);
  const estimate = useMemo(() => (row: number, width: number) => estimateHeight(lines[row]!, width), [lines]);

  const elementOf = (word: number) => list.current?.querySelector<HTMLElement>(`[data-w="${word}"]`) ?? undefined;
  const show = (row: number, word: number, isFollowing = false) => {
    const element = elementOf(word) ?? list.current?.querySelector(`[data-row="${row}"]`);
    keepInView(rows.current, row, element, isFollowing);
  };
  const isBusy = useRef(false);
  isBusy.current = editing !== undefined || match !== undefined;

  const highlight = useHighlight(lines, elementOf, (line, word) => {
    const isPlaying = player.isPlaying.peek();
    if (line < 0 || isBusy.current || (isPlaying && hands.areOn)) return;
    show(line, word, isPlaying);
  });
  useEffect(() => () => hands.stop(), []);
  useEffect(() => {
    if (player.clipID.peek() !== caption.key && atMs !== undefined) show(lastStartedLine(lines, atMs), -1);
  }, [atMs]);
  useEffect(() => {
    if (match) show(lineOfWord(lines, match.first), match.first);
  }, [match]);
  useEffect(() => {
    if (editing !== undefined) show(lineOfWord(lines, editing), editing);
    else if (wasEditing.current && document.activeElement === document.body) {
      list.current?.focus({ preventScroll: true });
    }
    wasEditing.current = editing !== undefined;
  }, [editing]);

  const onRender = (element: HTMLElement) => {
    list.current = element;
    highlight();
    const stop = setTabStop(element, focusRow.current);
    if (!wantsFocus.current || !stop || rowOf(stop) !== focusRow.current) return;
    wantsFocus.current = false;
    stop.focus({ preventScroll: true });
  };
  const click = (event: MouseEvent) => {
    const target =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>('.word, .line-time, .unheard, .unconfirmed')
        : null;
    if (!target) return;
    if (target.classList.contains('unheard') || target.classList.contains('unconfirmed')) {
      if (getSelection()?.isCollapsed === false) return;
      player.seek(Number(target.dataset['ms']));
      return player.play();
    }
    if (target.classList.contains('line-time')) return player.seek(Number(target.dataset['ms']));
    const at = Number(target.dataset['w']);
    const isSecond = at === lastClicked.current;
    lastClicked.current = at;
    if (mayEdit && (isSecond || editing !== undefined)) return acts.open(at);
    // Selecting text must not seek.
    if (getSelection()?.isCollapsed === false) return;
    player.seek(wordOf(lines, at)?.startMs ?? 0);
  };
  const step = (event: KeyboardEvent) => {
    const row = Number((event.target as HTMLElement).closest<HTMLElement>('.line')?.dataset['row'] ?? -1);
    const to = { ArrowDown: row + 1, ArrowUp: row - 1, Home: 0, End: lines.length - 1 }[event.key];
    if (row < 0 || to === undefined || !lines[to] || !(event.target as HTMLElement).matches('.line-time')) return;
    event.preventDefault();
    hands.moved();
    focusRow.current = to;
    wantsFocus.current = true;
    show(to, -1);
    onRender(list.current!);
  };

  const marks = { found, matched, match, edits, editing };
  return (
    <MeasuredRows
      class={(lines.at(-1)?.startMs ?? 0) >= hourMs ? 'transcript hours' : 'transcript'}
      label="Transcript"
      lang={languageOf(caption)}
      count={lines.length}
      estimate={estimate}
      handle={rows}
      onRender={onRender}
      onClick={click}
      onKeyDown={step}
      row={(row) => (
        <TranscriptLine key={row} row={row} count={lines.length} line={lines[row]!} marks={marks} acts={acts} />
      )}
    />
  );
}

const rowOf = (button: HTMLElement) => Number(button.parentElement?.dataset['row']);

/** One of the buttons is a tab stop: the one that had the focus last, or the first one. */
function setTabStop(list: HTMLElement, focusRow: number): HTMLElement | undefined {
  const buttons = [...list.querySelectorAll<HTMLElement>('.line-time')];
  const stop = buttons.find((button) => rowOf(button) === focusRow) ?? buttons[0];
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
  return stop;
}

/** The words that match a search. They appear as they are found, because a long transcript takes a while. */
function useFoundWords(lines: readonly Line[], searchText: string, atMs = 0): ReadonlySet<number> {
  const [found, setFound] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const stopping = new AbortController();
    const all = new Set<number>();
    const work = findWords(lines, searchText, lastStartedLine(lines, atMs), all);
    // The first step contains the lines that are shown.
    if (searchText !== '') work.next();
    setFound(new Set(all));
    if (searchText === '') return;
    const finish = async () => {
      await runInSlices(work, stopping.signal);
      if (!stopping.signal.aborted) setFound(all);
    };
    void finish();
    return () => stopping.abort();
  }, [lines, searchText]);
  return found;
}

function wordsOfMatches(matches: readonly TextMatch[]): ReadonlySet<number> {
  const words = new Set<number>();
  for (const { first, last } of matches) for (let at = first; at <= last; at++) words.add(at);
  return words;
}

const hourMs = 3_600_000;
const textWidth = 704;
const letterWidth = 8.6;
const lineHeight = 28;
/** The mark of words in doubt and its button, in letters. */
const markLength = 30;

/** Height of a line before it is measured, from the length of its text. */
function estimateHeight({ text, unconfirmed }: Line, width: number): number {
  const space = Math.max(120, Math.min(textWidth, width - 64));
  const length = text.length + (unconfirmed ? unconfirmed.text.length + markLength : 0);
  return 8 + lineHeight * Math.max(1, Math.ceil((length * letterWidth) / space));
}

/** Language tag for screen readers; undefined if it is not a valid tag. */
const languageOf = ({ language = '', isLanguageKnown }: Caption): string | undefined =>
  isLanguageKnown !== false && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language) ? language : undefined;
