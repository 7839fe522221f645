import { useState } from 'preact/hooks';
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
  /** Called with the keys for which it was done. */
  readonly onDone: (done: ReadonlySet<number>) => void;
}

/** Does the same for many records, after a question, with progress, and names those for which it failed. */
export function BulkDialog({ title, text, act, isDangerous, items, send, onClose, onDone }: BulkDialogProps) {
  const [outcomes, setOutcomes] = useState<readonly SendOutcome<BulkItem>[]>();
  const start = async () => {
    setOutcomes([]);
    const all = await sendEach(items, {
      send: ({ key }) => send(key),
      waitSeconds: waitOf,
      onProgress: (done) => setOutcomes([...done]),
    });
    const failed = all.filter(({ error }) => error !== undefined);
    onDone(new Set(all.filter(({ error }) => error === undefined).map(({ item }) => item.key)));
    if (failed.length === 0) onClose();
  };
  const failed = outcomes?.filter(({ error }) => error !== undefined) ?? [];
  const isDone = outcomes?.length === items.length;
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        {!outcomes && <p>{text}</p>}
        {outcomes && !isDone && <Progress value={(100 * outcomes.length) / items.length} label={title} />}
        {outcomes && (
          <p role="status">
            {isDone
              ? `Done for ${countText(outcomes.length - failed.length, 'record')}, failed for ${failed.length.toLocaleString('en')}.`
              : `${outcomes.length.toLocaleString('en')} of ${items.length.toLocaleString('en')}`}
          </p>
        )}
        <FailureList failures={failed.map(({ item, error }) => ({ name: item.name, why: errorMessage(error) }))} />
        <div class="form-end">
          <Button onClick={onClose}>{isDone ? 'Close' : 'Cancel'}</Button>
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
