import { useLayoutEffect, useRef } from 'preact/hooks';
import { positionText } from '../../lib/ui/times.ts';
import { editedText } from './edits.ts';
import type { EditorActs, Marks } from './marks.ts';
import type { TranscriptWord } from './words.ts';

interface WordEditorProps {
  readonly at: number;
  readonly word: TranscriptWord;
  readonly marks: Marks;
  readonly acts: EditorActs;
}

/** A word while it is corrected, in its place in the line. Playback continues meanwhile. */
export function WordEditor({ at, word, marks, acts }: WordEditorProps) {
  const input = useRef<HTMLInputElement>(null);
  const text = editedText(marks.edits, at, word.text);
  const isDone = useRef(false);
  const latest = useRef(acts);
  latest.current = acts;
  const keep = () => {
    if (isDone.current || !input.current) return;
    acts.keep(at, input.current.value);
  };
  useLayoutEffect(() => {
    const element = input.current!;
    element.value = text;
    fit(element);
    element.focus({ preventScroll: true });
    element.select();
    const keepText = () => void (isDone.current || latest.current.keep(at, element.value));
    // The browser asks before it unloads the page, because the word is not saved.
    const onUnload = (event: Event) => {
      if (!isDone.current && element.value !== text) event.preventDefault();
      keepText();
    };
    addEventListener('beforeunload', onUnload);
    return () => {
      removeEventListener('beforeunload', onUnload);
      // The row may be scrolled out of the page with its editor: its text is kept.
      keepText();
    };
  }, []);

  const end = (next: number | undefined) => {
    keep();
    isDone.current = true;
    acts.open(next);
  };
  const alone: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    Enter: () => end(undefined),
    Tab: ({ shiftKey }) => end(at + (shiftKey ? -1 : 1)),
    Escape: () => {
      isDone.current = true;
      acts.open(undefined);
    },
  };
  const withCommand: Readonly<Record<string, () => void>> = {
    Enter: () => (end(undefined), acts.save()),
    KeyS: () => (end(undefined), acts.save()),
  };
  const withAlt: Readonly<Record<string, () => void>> = {
    KeyR: () => acts.replay(word),
    KeyP: () => acts.togglePlay(),
    KeyD: () => (keep(), (isDone.current = true), acts.nextDoubtful(at, 1)),
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const act = isCommand ? withCommand[event.code] : event.altKey ? withAlt[event.code] : alone[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act(event);
  };
  return (
    <input
      ref={input}
      class="word-input"
      type="text"
      data-w={at}
      aria-label={`Correct “${word.text}” at ${positionText(word.startMs)}`}
      title="Enter keeps the word, Tab goes to the next, Esc undoes"
      autoComplete="off"
      autoCapitalize="off"
      spellcheck={true}
      maxLength={1_000}
      dir="auto"
      onInput={({ currentTarget }) => fit(currentTarget)}
      onKeyDown={onKey}
      onBlur={keep}
    />
  );
}

/** As wide as its text. */
function fit(input: HTMLInputElement): void {
  input.style.width = '0';
  input.style.width = `${Math.max(24, input.scrollWidth + 4)}px`;
}
