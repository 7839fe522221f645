import { clipTitleLength } from '@earshot/contract/audio-clip-recording';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api, errorMessage, fieldProblems, stripMarkdown } from '../../lib/api.ts';
import { refresh } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';

interface TitleFormProps {
  readonly clipID: number;
  /** Empty: the clip has none yet. */
  readonly title: string;
  readonly onClose: () => void;
}

/** Changes the title of a clip. Enter saves, Escape cancels. What was typed stays until it is saved. */
export function TitleForm({ clipID, title, onClose }: TitleFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  useLayoutEffect(() => input.current?.select(), []);
  const save = async (event: Event) => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    if (isBusy) return;
    if (text === title) return onClose();
    setBusy(true);
    setProblem('');
    try {
      await api.updateAudioClipRecording({ params: { audioClipID: clipID }, body: { title: text || null } });
      refresh([`clip recording ${clipID}`, `caption ${clipID} listed`, 'clips ']);
      onClose();
    } catch (error) {
      setProblem(stripMarkdown(fieldProblems(error)[0]?.message ?? errorMessage(error)));
      setBusy(false);
      input.current?.focus();
    }
  };
  return (
    <form class="title-form" onSubmit={(event) => void save(event)}>
      <input
        ref={input}
        class="input"
        aria-label="Title"
        aria-describedby="title-hint"
        aria-invalid={problem === '' ? undefined : 'true'}
        defaultValue={title}
        maxLength={clipTitleLength}
        dir="auto"
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onClose();
        }}
      />
      <Button small kind="primary" type="submit" busy={isBusy}>
        Save
      </Button>
      <Button small kind="quiet" onClick={onClose}>
        Cancel
      </Button>
      <p class={problem === '' ? 'hint' : 'problem'} id="title-hint" role={problem === '' ? undefined : 'alert'}>
        {problem === '' ? 'Without a title, the name of the file is shown.' : `Not saved: ${problem}`}
      </p>
    </form>
  );
}
