import { FailureList } from '../../lib/table/failure-list.tsx';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import type { AddOutcome } from './add-items.ts';

interface AddedProps {
  readonly outcome: AddOutcome;
  readonly onClose: () => void;
}

/** What was not added to a collection, by name. */
export function Added({ outcome: { addedCount, failed }, onClose }: AddedProps) {
  return (
    <div class="stack">
      <p role="status">
        {countText(addedCount, 'item')} added, {failed.length.toLocaleString('en')} not.
      </p>
      <FailureList failures={failed.map(({ name }) => ({ name, why: 'It is gone, or no longer shared with you.' }))} />
      <div class="form-end">
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}
