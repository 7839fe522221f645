import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { useState } from 'preact/hooks';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { byDevice } from './actions.ts';
import { CollectDialog, DeleteDialog, ExportSelected, TagDialog } from './bulk-dialogs.tsx';
import { requestUploads } from './request-uploads.ts';
import { canRequestUpload, isAvailable } from './clip-state.ts';

interface SelectionBarProps {
  readonly clips: readonly PagedAudioClip[];
  readonly onClear: () => void;
}

/** Actions for all selected clips. Changes are offered for the clips that the user may change. */
export function SelectionBar({ clips, onClear }: SelectionBarProps) {
  const [open, setOpen] = useState<'tag' | 'export' | 'collect' | 'delete' | undefined>();
  const close = () => setOpen(undefined);
  const writable = clips.filter(({ mayWrite }) => mayWrite !== false);
  const away = writable.filter(({ audioClipStatus = 0 }) => canRequestUpload(audioClipStatus));
  const sound = clips.filter(isAvailable);
  const ask = async () => {
    for (const [deviceID, of] of byDevice(away)) {
      await requestUploads(
        deviceID,
        of.map(({ key = 0 }) => key),
      );
    }
  };
  const closeAndClear = () => {
    close();
    onClear();
  };
  return (
    <div class="sticky-bar selection-bar" role="region" aria-label="Selected clips">
      <p role="status">
        {countText(clips.length, 'clip')} selected
        {writable.length < clips.length && `, ${writable.length} that you may change`}
      </p>
      <span class="selection-close">
        <Button small kind="quiet" icon="close" label="Clear selection" onClick={onClear} />
      </span>
      <div class="selection-actions">
        {away.length > 0 && (
          <Button small icon="upload" onClick={() => void ask()}>
            Request upload
          </Button>
        )}
        {sound.length > 0 && (
          <>
            <Button small icon="download" onClick={() => setOpen('export')}>
              Export
            </Button>
            <Button small icon="collection" onClick={() => setOpen('collect')}>
              Add to collection
            </Button>
          </>
        )}
        {writable.length > 0 && (
          <>
            <Button small icon="tag" onClick={() => setOpen('tag')}>
              Tag
            </Button>
            <Button small kind="danger" icon="trash" onClick={() => setOpen('delete')}>
              Delete
            </Button>
          </>
        )}
      </div>
      {open === 'tag' && <TagDialog clips={writable} onClose={close} />}
      {open === 'export' && <ExportSelected clips={clips} sound={sound} onClose={close} />}
      {open === 'collect' && <CollectDialog clips={sound} onClose={close} />}
      {open === 'delete' && <DeleteDialog clips={writable} onClose={close} onDeleted={closeAndClear} />}
    </div>
  );
}
