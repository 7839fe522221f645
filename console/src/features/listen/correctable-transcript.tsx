import type { Caption } from '@earshot/contract/caption';
import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { currentLocation } from '../../lib/location.ts';
import { player } from '../../lib/player.ts';
import { refresh } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { isTouchScreen } from '../../lib/ui/touch-screen.ts';
import type { Correction } from './correction.ts';
import { CorrectionBar } from './correction-bar.tsx';
import { showUndoToast } from './data.ts';
import { restore } from './edit.tsx';
import { editWord } from './edits.ts';
import type { Finding } from './find-bar.tsx';
import { FindBar, noFinding } from './find-bar.tsx';
import type { EditorActs } from './marks.ts';
import { PrintTranscript } from './print-transcript.tsx';
import { Transcript } from './transcript.tsx';
import { useTranscriptKeys } from './use-transcript-keys.ts';
import type { Line } from './words.ts';
import { doubtfulWords, lastStartedWord, stepAround, wordOf } from './words.ts';

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

/** How far before its word a replay begins. */
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
  const findDoubtful = (from: number, step: 1 | -1): number | undefined => {
    const unchanged = doubtful.filter((at) => !correction.edits.peek().has(at));
    return stepAround(unchanged, from, step);
  };
  const confirm = (fromMs: number, toMs: number) =>
    attempt(async () => {
      const { key: captionID = 0, version = 0 } = caption;
      await api.confirmCaption({ params: { captionID }, body: { fromMs, toMs, version } });
      refresh([`caption ${captionID}`]);
      showUndoToast('The words are confirmed. Searches find them from now on.', () => restore(captionID, version));
    });
  const unconfirmed = lines.filter((line) => line.unconfirmed);
  const confirmCurrent = () => {
    const line = unconfirmed.find(({ endMs }) => endMs > player.ms) ?? unconfirmed.at(-1);
    if (line) void confirm(line.startMs, line.startMs + 1);
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
    confirm: mayEdit ? (line) => void confirm(line.startMs, line.startMs + 1) : undefined,
    nextDoubtful: (at, step) => open(findDoubtful(at, step)),
  };

  const openFind = () => {
    opener.current = document.activeElement;
    if (finds) document.querySelector<HTMLInputElement>('.find-bar input')?.select();
    onFind(true);
  };
  const closeFind = () => {
    onFind(false);
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
  };

  const currentWord = () => Math.max(0, lastStartedWord(lines, player.ms));
  useTranscriptKeys({
    openFind,
    goDoubtful: (step) => seekTo(findDoubtful(lastStartedWord(lines, player.ms), step)),
    save: mayEdit ? () => void save() : undefined,
    editCurrent: mayEdit ? () => open(currentWord()) : undefined,
    confirmCurrent: mayEdit && unconfirmed.length > 0 ? confirmCurrent : undefined,
  });

  return (
    <>
      <TranscriptHint
        mayEdit={mayEdit && lines.some(({ words }) => words.length > 0)}
        hasDoubtful={doubtful.length > 0}
      />
      {unconfirmed.length > 0 && (
        <UnconfirmedHint
          lines={unconfirmed.length}
          onConfirm={mayEdit ? () => void confirm(0, Number(lines.at(-1)?.endMs) + 1) : undefined}
        />
      )}
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
            from={currentWord}
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

interface UnconfirmedHintProps {
  readonly lines: number;
  /** Confirms all. Undefined if the person may not. */
  readonly onConfirm: (() => void) | undefined;
}

function UnconfirmedHint({ lines, onConfirm }: UnconfirmedHintProps) {
  return (
    <div class="unconfirmed-hint quiet">
      <p>
        The language of {countText(lines, 'line')} is in doubt. Searches find {lines === 1 ? 'its' : 'their'} words only
        after somebody confirms them.
        {onConfirm && !isTouchScreen() && (
          <>
            {' '}
            Press <kbd>c</kbd> to confirm the current one.
          </>
        )}
      </p>
      {onConfirm && lines > 1 && (
        <Button small onClick={onConfirm}>
          Confirm all
        </Button>
      )}
    </div>
  );
}

function TranscriptHint({ mayEdit, hasDoubtful }: { readonly mayEdit: boolean; readonly hasDoubtful: boolean }) {
  const isTouch = isTouchScreen();
  if (!mayEdit && !hasDoubtful) return null;
  return (
    <p class="transcript-hint quiet">
      {mayEdit &&
        (isTouch ? 'Tap a word twice to correct it. ' : 'Click a word twice, or press Enter, to correct it. ')}
      {hasDoubtful && (
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
  );
}
