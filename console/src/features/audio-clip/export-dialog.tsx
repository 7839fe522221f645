import { exportFormats } from '@earshot/contract/audio-clip-join';
import type { Event } from '@earshot/contract/event';
import { ApiForm } from '../../lib/api-form.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { SelectField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { followExport } from './exports.tsx';

interface ExportChoice {
  readonly format: (typeof exportFormats)[number];
  readonly gaps: 'silence' | 'close';
}

interface ExportDialogProps {
  readonly title: string;
  /** Describes what the export contains. */
  readonly about: string;
  /** Each part becomes one file. */
  readonly parts: readonly { readonly label: string; readonly send: (choice: ExportChoice) => Promise<Event> }[];
  readonly onClose: () => void;
}

const formatNames: Readonly<Record<ExportChoice['format'], string>> = {
  wav: 'WAV (uncompressed)',
  flac: 'FLAC (lossless, about half the size)',
  mp3: 'MP3 (plays everywhere)',
  opus: 'Opus (smallest file)',
};

export function ExportDialog({ title, about, parts, onClose }: ExportDialogProps) {
  const send = async ({ format = 'wav', gaps = 'silence' }: Values) => {
    const choice = { format, gaps } as ExportChoice;
    for (const part of parts) followExport(await part.send(choice), part.label);
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="quiet">
        {about} Kept for a week, under <a href="/exports">Exports</a>.
      </p>
      <ApiForm submit="Export" onSend={send} onCancel={onClose}>
        <SelectField
          name="format"
          label="Format"
          value="wav"
          options={exportFormats.map((format) => ({ value: format, label: formatNames[format] }))}
        />
        <SelectField
          name="gaps"
          label="Gaps between clips"
          value="silence"
          options={[
            { value: 'silence', label: 'Keep as silence' },
            { value: 'close', label: 'Remove' },
          ]}
        />
      </ApiForm>
    </Dialog>
  );
}
