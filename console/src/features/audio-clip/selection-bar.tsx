import type { AudioClipWithNames } from '@earshot/contract/audio-clip';
import { tagNameLength } from '@earshot/contract/tag';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { byDevice, removeClips, tagClips } from './actions.ts';
import { allTags, requestUploads, canRequestUpload, isAvailable } from './public.ts';
import { ExportDialog } from './public.tsx';

interface SelectionBarProps {
  readonly clips: readonly AudioClipWithNames[];
  readonly onClear: () => void;
}

/** Actions for all selected clips. */
export function SelectionBar({ clips, onClear }: SelectionBarProps) {
  const [open, setOpen] = useState<'tag' | 'export' | undefined>();
  const close = () => setOpen(undefined);
  const away = clips.filter(({ audioClipStatus = 0 }) => canRequestUpload(audioClipStatus));
  const sound = clips.filter(isAvailable);
  const ask = async () => {
    for (const [deviceID, of] of byDevice(away)) {
      await requestUploads(
        deviceID,
        of.map(({ key = 0 }) => key),
      );
    }
  };
  const remove = () => {
    removeClips(clips);
    onClear();
  };
  return (
    <div class="selection-bar" role="region" aria-label="Selected clips">
      <p role="status">{countText(clips.length, 'clip')} selected</p>
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
          <Button small icon="download" onClick={() => setOpen('export')}>
            Export
          </Button>
        )}
        <Button small icon="tag" onClick={() => setOpen('tag')}>
          Tag
        </Button>
        <Button small kind="danger" icon="trash" onClick={remove}>
          Delete
        </Button>
      </div>
      {open === 'tag' && <TagDialog clips={clips} onClose={close} />}
      {open === 'export' && <ExportSelected clips={clips} sound={sound} onClose={close} />}
    </div>
  );
}

function ExportSelected({ clips, sound, onClose }: SelectedSound) {
  const away = clips.length - sound.length;
  const devices = [...byDevice(sound)];
  return (
    <ExportDialog
      title="Export audio"
      about={
        `${countText(sound.length, 'clip')}, joined into ${countText(devices.length, 'file')}.` +
        (away > 0 ? ` ${countText(away, 'clip')} without available audio will be left out.` : '')
      }
      parts={devices.map(([deviceID, of]) => ({
        label: `${of[0]?.deviceName || `Device ${deviceID}`}, ${countText(of.length, 'clip')}`,
        send: ({ format, gaps }) =>
          api.concatenateAudioClips({
            query: { usevrs: true },
            body: { deviceID, format, gaps, audioClips: of.map(({ key = 0 }) => ({ key })) },
          }),
      }))}
      onClose={onClose}
    />
  );
}

interface SelectedSound {
  readonly clips: readonly AudioClipWithNames[];
  readonly sound: readonly AudioClipWithNames[];
  readonly onClose: () => void;
}

function TagDialog({
  clips,
  onClose,
}: {
  readonly clips: readonly AudioClipWithNames[];
  readonly onClose: () => void;
}) {
  const { data: tags = [] } = useQuery(allTags);
  const send = async ({ tagName = '' }: Values) => {
    await tagClips(clips, tagName);
    onClose();
  };
  return (
    <Dialog title={`Tag ${countText(clips.length, 'clip')}`} onClose={onClose}>
      <ApiForm submit="Tag" onSend={send} onCancel={onClose}>
        <TextField
          name="tagName"
          label="Tag"
          hint="Choose a tag, or type a new one."
          maxLength={tagNameLength}
          list={tags.map(({ tagName = '' }) => tagName)}
          focused
        />
      </ApiForm>
    </Dialog>
  );
}
