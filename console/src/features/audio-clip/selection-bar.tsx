import type { AudioClipWithNames } from '@earshot/contract/audio-clip';
import { tagNameLength } from '@earshot/contract/tag';
import { useState } from 'preact/hooks';
import { api } from '../../app/api.ts';
import { ApiForm } from '../../app/api-form.tsx';
import { useQuery } from '../../app/query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import type { Values } from '../../ui/form.tsx';
import { askForUpload, byDevice, counted, removeClips, tagClips } from './actions.ts';
import { allTags } from './data.ts';
import { ExportDialog } from './export-dialog.tsx';
import { canBeAskedFor, isHere } from './state.ts';

interface SelectionBarProps {
  readonly clips: readonly AudioClipWithNames[];
  readonly onClear: () => void;
}

/** Actions for all selected clips. */
export function SelectionBar({ clips, onClear }: SelectionBarProps) {
  const [open, setOpen] = useState<'tag' | 'export' | undefined>();
  const close = () => setOpen(undefined);
  const away = clips.filter(({ audioClipStatus = 0 }) => canBeAskedFor(audioClipStatus));
  const sound = clips.filter(isHere);
  const ask = async () => {
    for (const [deviceID, of] of byDevice(away)) {
      await askForUpload(
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
      <p role="status">{counted(clips.length, 'clip')} selected</p>
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
        `${counted(sound.length, 'clip')}, joined into ${counted(devices.length, 'file')}.` +
        (away > 0 ? ` ${counted(away, 'clip')} without available audio will be left out.` : '')
      }
      parts={devices.map(([deviceID, of]) => ({
        label: `${of[0]?.deviceName || `Device ${deviceID}`}, ${counted(of.length, 'clip')}`,
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
    <Dialog title={`Tag ${counted(clips.length, 'clip')}`} onClose={onClose}>
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
