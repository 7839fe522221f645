import { useRef, useState } from 'preact/hooks';
import { errorMessage, waitOf } from '../api.ts';
import type { SendOutcome } from '../send-each.ts';
import { sendEach } from '../send-each.ts';
import { Button } from '../ui/button.tsx';
import { countText } from '../ui/count-text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Progress } from '../ui/elements.tsx';
import { FailureList } from './failure-list.tsx';

interface BulkItem {
  readonly key: number;
  readonly name: string;
}

interface BulkDialogProps {
  readonly title: string;
  readonly text: string;
  /** The label of the button. */
  readonly act: string;
  readonly isDangerous?: boolean;
  readonly items: readonly BulkItem[];
  readonly send: (key: number) => Promise<unknown>;
  readonly onClose: () => void;
  /** Called at the end with the keys for which it was done; the dialog may then be gone. */
  readonly onDone: (done: ReadonlySet<number>) => void;
}

/** Does the same for many records, after a question, with progress, and names those for which it failed. */
export function BulkDialog(props: BulkDialogProps) {
  const { text, act, isDangerous, send, onClose, onDone } = props;
  // Rows that are done may leave the list behind the dialog.
  const [{ title, items }] = useState(props);
  const [outcomes, setOutcomes] = useState<readonly SendOutcome<BulkItem>[]>();
  const [isEnded, setEnded] = useState(false);
  const stopping = useRef(new AbortController());
  const start = async () => {
    setOutcomes([]);
    const all = await sendEach(items, {
      send: ({ key }) => send(key),
      waitSeconds: waitOf,
      onProgress: (done) => setOutcomes([...done]),
      signal: stopping.current.signal,
    });
    setEnded(true);
    if (all.length === items.length && all.every(({ error }) => error === undefined)) end(all);
  };
  const end = (all: readonly SendOutcome<BulkItem>[]) => {
    onDone(new Set(all.filter(({ error }) => error === undefined).map(({ item }) => item.key)));
    onClose();
  };
  const failed = outcomes?.filter(({ error }) => error !== undefined) ?? [];
  const left = items.length - (outcomes?.length ?? 0);
  // While it works, this stops it: what was done and what was not is shown then.
  const close = () => {
    stopping.current.abort();
    if (!outcomes) onClose();
    else if (isEnded) end(outcomes);
  };
  return (
    <Dialog title={title} onClose={close}>
      <div class="stack">
        {!outcomes && <p>{text}</p>}
        {outcomes && !isEnded && <Progress value={(100 * outcomes.length) / items.length} label={title} />}
        {outcomes && (
          <p role="status">
            {isEnded
              ? `Done for ${countText(outcomes.length - failed.length, 'record')}, failed for ${failed.length.toLocaleString('en')}${left > 0 ? `, stopped before ${left.toLocaleString('en')}` : ''}.`
              : `${outcomes.length.toLocaleString('en')} of ${items.length.toLocaleString('en')}`}
          </p>
        )}
        <FailureList failures={failed.map(({ item, error }) => ({ name: item.name, why: errorMessage(error) }))} />
        <div class="form-end">
          <Button onClick={close}>{isEnded ? 'Close' : outcomes ? 'Stop' : 'Cancel'}</Button>
          {!outcomes && (
            <Button kind={isDangerous ? 'danger' : 'primary'} onClick={() => void start()}>
              {act}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
