import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { fromWall } from '@earshot/contract/time-zone';
import { viewerZone, wallTime } from '../../lib/ui/clock.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { CheckField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { startMsOf, type UploadItem } from './item.ts';
import { change } from './list.ts';
import { recordingZone, uploadItems } from './state.ts';

interface StartDialogProps {
  readonly item: UploadItem;
  readonly onClose: () => void;
}

/** Corrects when a recording began; other recordings can be moved with it, for a recorder with a wrong clock. */
export function StartDialog({ item, onClose }: StartDialogProps) {
  const zone = viewerZone();
  const startMs = startMsOf(item, recordingZone.peek()) ?? Date.now();
  const [wall, setWall] = useState(wallTime(startMs, zone).toISOString().slice(0, 19));
  const others = uploadItems.value.filter(({ id, state }) => id !== item.id && state === 'ready');
  const save = async ({ all }: Values) => {
    const movedMs = fromWall(Date.parse(`${wall}Z`), zone) - startMs;
    for (const moved of all === 'true' ? [item, ...others] : [item]) {
      const was = startMsOf(moved, recordingZone.peek()) ?? startMs;
      change(moved.id, { start: was + movedMs, isZoneKnown: true, source: 'user' });
    }
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
            label="Move all other files by the same time"
            hint="For a recorder with a wrong clock."
          />
        )}
      </ApiForm>
    </Dialog>
  );
}
