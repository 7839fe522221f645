import { useEffect } from 'preact/hooks';
import { answerLeaving, askBeforeUnload, hasUnsaved, wantsToLeave } from '../../lib/leaving.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';

/** Asks before the page is left while a correction is not saved. */
export function LeaveDialog({ isUnsaved }: { readonly isUnsaved: boolean }) {
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
      <p>
        Your correction is not saved. It is kept as a draft in this browser, and offered when you open the clip again.
      </p>
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
