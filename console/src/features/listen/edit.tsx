import type { Caption } from '@earshot/contract/caption';
import { transcriptLength } from '@earshot/contract/caption';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api, errorMessage, statusOf } from '../../lib/api.ts';
import { player } from '../../lib/player.ts';
import { refresh } from '../../lib/query.ts';
import { dropToast, showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { showUndoToast } from './data.ts';
import { lastStartedWord, linesOf, placeInText } from './words.ts';

interface EditProps {
  readonly clipID: number;
  /** Null if there is no transcript yet. */
  readonly caption: Caption | null;
  /** The text to begin with, and the version that it corrects. */
  readonly begin: TextDraft;
  /** Keeps the text as a draft, or removes the draft. */
  readonly onDraft: (draft: TextDraft | undefined) => void;
  readonly onClose: () => void;
  /** Opens the editor again with a text that was discarded. */
  readonly onReopen: (draft: TextDraft) => void;
}

/** A text that is not saved yet. The version is 0 if there was no transcript. */
export interface TextDraft {
  readonly version: number;
  readonly text: string;
}

/** A draft is written this long after the last key, because a long text takes a while. */
const draftMs = 300;
/** A longer text has a scroll bar of its own: its height is not computed from its lines. */
const longText = 5_000;

/** Edits the transcript. If someone else saves a newer version meanwhile, both texts are shown. */
export function EditTranscript({ clipID, caption, begin, onDraft, onClose, onReopen }: EditProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [base, setBase] = useState(begin.version);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const isDirty = useRef(begin.text !== (caption?.transcript ?? ''));
  const version = caption?.version ?? 0;
  const isOvertaken = version !== base;

  const draft = useDraftKeeper(() => {
    if (area.current && isDirty.current) onDraft({ version: base, text: area.current.value });
  });
  // Before the person can type: the cursor must not move under the first letters.
  useLayoutEffect(() => {
    focusAtPlayback(area.current!, caption);
    draft.keepNow();
  }, []);

  const close = () => {
    draft.cancel();
    isDirty.current = false;
    onDraft(undefined);
    onClose();
  };
  const cancel = () => {
    const discarded = { version: base, text: area.current?.value ?? '' };
    const wasDirty = isDirty.current;
    close();
    if (!wasDirty) return;
    showDiscardedToast(() => onReopen(discarded));
  };
  const save = async (over = base) => {
    if (busy || !area.current) return;
    draft.keepNow();
    setBusy(true);
    setProblem('');
    const body = { transcript: area.current.value, ...(over === 0 ? {} : { version: over }) };
    try {
      await api.correctCaption({ params: { captionID: clipID }, body });
      refresh([`caption ${clipID}`]);
      if (over !== 0) showUndoToast('The transcript is saved.', () => restore(clipID, over));
      close();
    } catch (error) {
      if (statusOf(error) === 409) refresh([`caption ${clipID}`]);
      else setProblem(`${errorMessage(error)} Your text is kept as a draft.`);
    }
    setBusy(false);
  };
  const takeTheirs = () => {
    if (area.current) area.current.value = caption?.transcript ?? '';
    isDirty.current = false;
    onDraft(undefined);
    setBase(version);
  };

  return (
    <form
      class="edit-transcript"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {isOvertaken && (
        <Overtaken text={caption?.transcript} onOverwrite={() => void save(version)} onTakeTheirs={takeTheirs} />
      )}
      <p class="alert" role="alert" hidden={problem === ''}>
        {problem}
      </p>
      <textarea
        ref={area}
        class={begin.text.length > longText ? 'input transcript-input long' : 'input transcript-input'}
        aria-label="Transcript text"
        defaultValue={begin.text}
        rows={10}
        maxLength={transcriptLength}
        dir="auto"
        onInput={() => {
          isDirty.current = true;
          draft.keepSoon();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        }}
      />
      <div class="edit-end">
        <p class="hint">Unchanged words keep their times. Times of new words are estimated.</p>
        <Button kind="quiet" onClick={cancel}>
          Cancel
        </Button>
        <Button kind="primary" type="submit" busy={busy || isOvertaken}>
          Save
        </Button>
      </div>
    </form>
  );
}

interface OvertakenProps {
  readonly text: string | undefined;
  readonly onOverwrite: () => void;
  readonly onTakeTheirs: () => void;
}

function Overtaken({ text, onOverwrite, onTakeTheirs }: OvertakenProps) {
  return (
    <div class="alert overtaken" role="alert">
      <p>Someone else saved a newer version. Your text is still in the editor.</p>
      <p class="their-words" dir="auto">
        {text}
      </p>
      <div class="buttons">
        <Button small onClick={onOverwrite}>
          Overwrite with mine
        </Button>
        <Button small onClick={onTakeTheirs}>
          Use their version
        </Button>
      </div>
    </div>
  );
}

function showDiscardedToast(onUndo: () => void): void {
  const toast = showToast('Your changes are discarded.', {
    undo: () => {
      dropToast(toast);
      onUndo();
    },
  });
}

/** Puts the cursor at the word that is played. */
function focusAtPlayback(input: HTMLTextAreaElement, caption: Caption | null): void {
  const lines = caption ? linesOf(caption) : [];
  const place = placeInText(input.value, lines, lastStartedWord(lines, player.ms));
  input.focus();
  input.setSelectionRange(place, place);
}

/** Keeps a draft a moment after each change, when the page is hidden, and when the editor is removed. */
function useDraftKeeper(keep: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cancel = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
  };
  const keepNow = () => {
    cancel();
    keep();
  };
  const keepSoon = () => {
    cancel();
    timer.current = setTimeout(keepNow, draftMs);
  };
  const latest = useRef(keepNow);
  latest.current = keepNow;
  useEffect(() => {
    const flush = () => latest.current();
    addEventListener('pagehide', flush);
    return () => removeEventListener('pagehide', flush);
  }, []);
  // Before the text is gone: the session may have ended.
  useLayoutEffect(() => () => void (timer.current !== undefined && latest.current()), []);
  return { keepNow, keepSoon, cancel };
}

export async function restore(captionID: number, version: number): Promise<void> {
  await api.restoreCaption({ params: { captionID }, body: { version } });
  refresh([`caption ${captionID}`, `caption versions ${captionID}`]);
}
