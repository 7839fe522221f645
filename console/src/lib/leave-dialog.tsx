import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { answerLeaving, askBeforeUnload, hasUnsaved, wantsToLeave } from './leaving.ts';
import { Button } from './ui/button.tsx';
import { Dialog } from './ui/dialog.tsx';

interface LeaveDialogProps {
  readonly isUnsaved: boolean;
  /** What is not saved, and what happens to it. */
  readonly children: ComponentChildren;
}

/** Asks before the page is left while something is not saved. */
export function LeaveDialog({ isUnsaved, children }: LeaveDialogProps) {
  useEffect(() => {
    hasUnsaved.value = isUnsaved;
    return () => {
      hasUnsaved.value = false;
    };
  }, [isUnsaved]);
  useEffect(() => {
    const stop = askBeforeUnload();
    return () => {
      stop();
      answerLeaving(false);
    };
  }, []);
  if (!wantsToLeave.value) return null;
  return (
    <Dialog title="Leave without saving?" onClose={() => answerLeaving(false)}>
      <p>{children}</p>
      <div class="buttons end">
        <Button kind="quiet" onClick={() => answerLeaving(true)}>
          Leave
        </Button>
        <Button kind="primary" onClick={() => answerLeaving(false)}>
          Stay
        </Button>
      </div>
    </Dialog>
  );
}
