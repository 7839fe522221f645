import { useEffect, useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { fromWall } from '@earshot/contract/time-zone';
import { viewerZone, wallTime } from '../../lib/ui/clock.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { CheckField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import type { UploadItem } from './item.ts';
import { hasNotBegun, startMsOf } from './item.ts';
import { change, itemWith } from './list.ts';
import { holdUploads, recheck, startReady } from './queue.ts';
import { uploadItems } from './state.ts';

interface StartDialogProps {
  readonly item: UploadItem;
  readonly onClose: () => void;
}

/**
 * Corrects when a recording began; other recordings can be moved with it, for a recorder with a wrong clock. While it is
 * open, no further file begins, so that the time can be typed in peace.
 */
export function StartDialog({ item, onClose }: StartDialogProps) {
  useEffect(holdUploads, []);
  const zone = viewerZone();
  const startMs = startMsOf(item) ?? Date.now();
  const [wall, setWall] = useState(wallTime(startMs, zone).toISOString().slice(0, 19));
  const others = uploadItems.value.filter((other) => other.id !== item.id && hasNotBegun(other));
  const save = async ({ all }: Values) => {
    const movedMs = fromWall(Date.parse(`${wall}Z`), zone) - startMs;
    const ids = (all === 'true' ? [item, ...others] : [item]).map(({ id }) => id);
    for (const id of ids) {
      const moved = itemWith(id);
      // It may have begun before the dialog held the others.
      if (!moved || !hasNotBegun(moved)) continue;
      change(id, { start: (startMsOf(moved) ?? startMs) + movedMs, isZoneKnown: true, source: 'user' });
    }
    recheck(new Set(ids));
    startReady();
    onClose();
  };
  return (
    <Dialog title="Correct the start" onClose={onClose}>
      <ApiForm submit="Save" onSend={save} onCancel={onClose}>
        <div class="field">
          <label for="upload-start">The recording began</label>
          <input
            id="upload-start"
            class="input"
            type="datetime-local"
            step={1}
            value={wall}
            required
            onInput={({ currentTarget }) => setWall(currentTarget.value)}
          />
          <p class="hint">Time of {zone.replaceAll('_', ' ')}</p>
        </div>
        {others.length > 0 && (
          <CheckField
            name="all"
            label="Move all other files that have not begun by the same time"
            hint="For a recorder with a wrong clock."
          />
        )}
      </ApiForm>
    </Dialog>
  );
}
