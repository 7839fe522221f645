import type { Caption } from '@earshot/contract/caption';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { currentLocation } from '../../lib/location.ts';
import { isTyping } from '../../lib/page-keys.ts';
import { player } from '../../lib/player.ts';
import { isTouchScreen } from '../../lib/ui/touch-screen.ts';
import type { Correction } from './correction.ts';
import { CorrectionBar } from './correction-bar.tsx';
import { showUndoToast } from './data.ts';
import { restore } from './edit.tsx';
import { editWord } from './edits.ts';
import { FindBar, type Finding, noFinding } from './find-bar.tsx';
import type { EditorActs } from './marks.ts';
import { PrintTranscript } from './print-transcript.tsx';
import { Transcript } from './transcript.tsx';
import { doubtfulWords, type Line, lastStartedWord, stepAround, wordOf } from './words.ts';

interface CorrectableTranscriptProps {
  readonly caption: Caption;
  readonly lines: readonly Line[];
  readonly correction: Correction;
  readonly mayEdit: boolean;
  readonly finds: boolean;
  readonly onFind: (finds: boolean) => void;
  /** Called before the first change, so that a draft of an earlier visit is not lost. */
  readonly onChange: () => void;
  readonly atMs: number | undefined;
  /** Drafts of an earlier visit. */
  readonly offers: ComponentChildren;
}

/** How far back a replay begins. */
const replayMs = 3_000;
const beforeWordMs = 1_500;

/** The transcript with its keys, the editor of a word, and the bars to find text and to save. */
export function CorrectableTranscript(props: CorrectableTranscriptProps) {
  const { caption, lines, correction, mayEdit, finds, onFind, onChange, atMs, offers } = props;
  const [editing, setEditing] = useState<number | undefined>();
  const [finding, setFinding] = useState<Finding>(noFinding);
  const doubtful = useMemo(() => doubtfulWords(lines), [lines]);
  const edits = correction.edits.value;
  const opener = useRef<Element | null>(null);

  const save = async () => {
    const version = await correction.save();
    if (version !== undefined) showUndoToast('The transcript is saved.', () => restore(caption.key ?? 0, version));
  };
  const seekTo = (at: number | undefined) => {
    const word = at === undefined ? undefined : wordOf(lines, at);
    if (word) player.seek(word.startMs);
  };
  const open = (at: number | undefined) => {
    if (at !== undefined && (!mayEdit || !wordOf(lines, at))) return setEditing(undefined);
    setEditing(at);
    if (!player.isPlaying.peek()) seekTo(at);
  };
  const goDoubtful = (from: number, step: 1 | -1): number | undefined => {
    const unchanged = doubtful.filter((at) => !correction.edits.peek().has(at));
    return stepAround(unchanged, from, step);
  };
  const acts: EditorActs = {
    open,
    keep: (at, text) => {
      const isSame = editWord(correction.edits.peek(), lines, at, text) === correction.edits.peek();
      if (isSame) return;
      onChange();
      correction.change(editWord(correction.edits.peek(), lines, at, text));
    },
    save: () => void save(),
    replay: ({ startMs }) => {
      player.seek(Math.max(0, startMs - beforeWordMs));
      player.play();
    },
    togglePlay: () => player.toggle(),
    nextDoubtful: (at, step) => open(goDoubtful(at, step)),
  };

  const keys = useRef<(event: KeyboardEvent) => void>(() => {});
  keys.current = (event) => {
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (isCommand && event.code === 'KeyF' && !event.shiftKey && !event.altKey) {
      // A second time, the browser's own find opens.
      if (event.target instanceof Element && event.target.closest('.find-bar')) return;
      openFind();
    } else if (isCommand && event.code === 'KeyS' && mayEdit) void save();
    else if (isCommand || event.altKey || isTyping(event.target)) return;
    else if (!plainKey(event)) return;
    event.preventDefault();
  };
  const openFind = () => {
    opener.current = document.activeElement;
    if (finds) document.querySelector<HTMLInputElement>('.find-bar input')?.select();
    onFind(true);
  };
  const plainKey = ({ key, target }: KeyboardEvent): boolean => {
    const isOnControl = target instanceof Element && target.closest('button, a, [role=slider]') !== null;
    const current = () => Math.max(0, lastStartedWord(lines, player.ms));
    if (key === 'f') openFind();
    else if (key === 'd') seekTo(goDoubtful(lastStartedWord(lines, player.ms), 1));
    else if (key === 'D') seekTo(goDoubtful(lastStartedWord(lines, player.ms), -1));
    else if (key === 'r') {
      player.seek(player.ms - replayMs);
      player.play();
    } else if (mayEdit && (key === 'e' || (key === 'Enter' && !isOnControl))) open(current());
    else return false;
    return true;
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => keys.current(event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const closeFind = () => {
    onFind(false);
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
  };

  const isTouch = isTouchScreen();
  return (
    <>
      <p class="transcript-hint quiet">
        {mayEdit &&
          (isTouch ? 'Tap a word twice to correct it. ' : 'Click a word twice, or press Enter, to correct it. ')}
        {doubtful.length > 0 && (
          <>
            <span class="doubtful">Underlined</span> words are doubtful
            {isTouch ? (
              '.'
            ) : (
              <>
                ; press <kbd>d</kbd> for the next one.
              </>
            )}
          </>
        )}
      </p>
      <Transcript
        caption={caption}
        lines={lines}
        searchText={currentLocation.value.query.get('q') ?? ''}
        edits={edits}
        matches={finding.matches}
        match={finding.match}
        editing={editing}
        mayEdit={mayEdit}
        acts={acts}
        atMs={atMs}
      />
      <PrintTranscript lines={lines} edits={edits} />
      <div class="transcript-dock">
        {offers}
        {finds && (
          <FindBar
            lines={lines}
            correction={correction}
            mayEdit={mayEdit}
            from={() => Math.max(0, lastStartedWord(lines, player.ms))}
            onFind={setFinding}
            onReplace={onChange}
            onClose={closeFind}
          />
        )}
        <CorrectionBar correction={correction} onSave={() => void save()} />
      </div>
    </>
  );
}
