import { useEffect } from 'preact/hooks';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import type { UploadBatch } from './batches.ts';
import { createdBy } from './batches.ts';
import { holdUploads } from './queue.ts';
import { undoBatch } from './undo.ts';

interface UndoDialogProps {
  readonly batch: UploadBatch;
  readonly onClose: () => void;
}

/** Asks before clips are removed. No further file begins while the user reads. */
export function UndoDialog({ batch, onClose }: UndoDialogProps) {
  useEffect(holdUploads, []);
  const created = countText(createdBy(batch).length, 'recording');
  const kept = batch.items.filter(({ audioClipID, isCreated }) => audioClipID !== undefined && !isCreated).length;
  const undo = () => {
    onClose();
    void undoBatch(batch.batchID);
  };
  return (
    <Dialog title="Undo the upload?" onClose={onClose}>
      <p>
        The upload stops. {created} that it has already stored will be deleted for good, with transcripts and tags. Your
        files stay as they are, and wait here for another device.
      </p>
      {kept > 0 && <p>{countText(kept, 'recording')} that the server had before will not be deleted.</p>}
      <div class="form-end">
        <Button kind="quiet" onClick={onClose}>
          Go on uploading
        </Button>
        <Button kind="danger" onClick={undo}>
          Undo and delete
        </Button>
      </div>
    </Dialog>
  );
}
