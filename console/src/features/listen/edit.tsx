import type { Caption } from '@earshot/contract/caption';
import { transcriptLength } from '@earshot/contract/caption';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, errorMessage, statusOf } from '../../lib/api.ts';
import { player } from '../../lib/player.ts';
import { refresh } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { showUndoToast } from './data.ts';
import { lastStartedWord, linesOf, placeInText, wordsOf } from './words.ts';

interface EditProps {
  readonly clipID: number;
  /** Null if there is no transcript yet. */
  readonly caption: Caption | null;
  readonly onClose: () => void;
}

/** Edits the transcript. If someone else saves a newer version meanwhile, both texts are shown. */
export function EditTranscript({ clipID, caption, onClose }: EditProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [base, setBase] = useState(caption);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const isOvertaken = (caption?.version ?? 0) !== (base?.version ?? 0);

  useEffect(() => {
    const input = area.current;
    if (!input) return;
    const words = caption ? wordsOf(linesOf(caption)) : [];
    const place = placeInText(input.value, words, lastStartedWord(words, player.ms));
    input.focus();
    input.setSelectionRange(place, place);
  }, []);

  const save = async (over = base) => {
    if (busy || !area.current) return;
    setBusy(true);
    setProblem('');
    const version = over?.version;
    const body = { transcript: area.current.value, ...(version === undefined ? {} : { version }) };
    try {
      await api.correctCaption({ params: { captionID: clipID }, body });
      refresh([`caption ${clipID}`]);
      if (version !== undefined) showUndoToast('The transcript is saved.', () => restore(clipID, version));
      onClose();
    } catch (error) {
      if (statusOf(error) === 409) refresh([`caption ${clipID}`]);
      else setProblem(errorMessage(error));
    }
    setBusy(false);
  };
  const takeTheirs = () => {
    if (area.current) area.current.value = caption?.transcript ?? '';
    setBase(caption);
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
        <div class="alert overtaken" role="alert">
          <p>Someone else saved a newer version. Your text is still in the editor.</p>
          <p class="their-words" dir="auto">
            {caption?.transcript}
          </p>
          <div class="buttons">
            <Button small onClick={() => void save(caption)}>
              Overwrite with mine
            </Button>
            <Button small onClick={takeTheirs}>
              Use their version
            </Button>
          </div>
        </div>
      )}
      <p class="alert" role="alert" hidden={problem === ''}>
        {problem}
      </p>
      <textarea
        ref={area}
        class="input transcript-input"
        aria-label="Transcript text"
        defaultValue={caption?.transcript ?? ''}
        rows={10}
        maxLength={transcriptLength}
        dir="auto"
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        }}
      />
      <div class="edit-end">
        <p class="hint">Unchanged words keep their times. Times of new words are estimated.</p>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="primary" type="submit" busy={busy || isOvertaken}>
          Save
        </Button>
      </div>
    </form>
  );
}

export async function restore(captionID: number, version: number): Promise<void> {
  await api.restoreCaption({ params: { captionID }, body: { version } });
  refresh([`caption ${captionID}`, `caption versions ${captionID}`]);
}
