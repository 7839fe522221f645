import type { ImportedTalkgroups } from '@earshot/contract/radio';
import { longestCsv } from '@earshot/contract/radio';
import { useRef, useState } from 'preact/hooks';
import { api, errorMessage } from '../../lib/api.ts';
import { refresh } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';

interface ImportDialogProps {
  readonly deviceID: number;
  readonly onClose: () => void;
}

/** Names the talkgroups of a device from a file. */
export function ImportDialog({ deviceID, onClose }: ImportDialogProps) {
  const [imported, setImported] = useState<ImportedTalkgroups | undefined>();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const take = async (file: File | undefined) => {
    if (!file || busy) return;
    setProblem('');
    setBusy(true);
    try {
      const csv = await readText(file);
      setImported(await api.importTalkgroups({ params: { deviceID }, body: { csv } }));
      refresh(['talkgroups', 'radio call']);
    } catch (error) {
      setProblem(error instanceof FileProblem ? error.message : errorMessage(error));
    }
    setBusy(false);
  };
  return (
    <Dialog title="Import talkgroups" onClose={onClose}>
      <div class="stack">
        {imported ? (
          <Imported {...imported} />
        ) : (
          <>
            <p>
              Choose a CSV file of trunk-recorder or RadioReference. Its names replace the present names of the same
              talkgroups on this device, and later uploads do not change them.
            </p>
            <p class="alert" role="alert" hidden={problem === ''}>
              {problem}
            </p>
            <FileDrop busy={busy} onFile={(file) => void take(file)} />
          </>
        )}
        <div class="form-end">
          <Button kind={imported ? 'primary' : 'quiet'} onClick={onClose}>
            {imported ? 'Done' : 'Cancel'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface FileDropProps {
  readonly busy: boolean;
  readonly onFile: (file: File | undefined) => void;
}

function FileDrop({ busy, onFile }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div
      class={isOver ? 'file-drop over' : 'file-drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer?.files[0]);
      }}
    >
      <Button icon="file" busy={busy} onClick={() => input.current?.click()}>
        {busy ? 'Importing…' : 'Choose a file'}
      </Button>
      <p class="hint">or drop it here</p>
      <input
        ref={input}
        hidden
        type="file"
        accept=".csv,text/csv"
        onChange={({ currentTarget }) => {
          onFile(currentTarget.files?.[0]);
          // The same file can be chosen again after it was corrected.
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

function Imported({ importedCount, skippedLines }: ImportedTalkgroups) {
  return (
    <>
      <p role="status">
        <strong>{countText(importedCount, 'talkgroup')} imported.</strong>
        {skippedLines.length > 0 && ` ${countText(skippedLines.length, 'line')} skipped:`}
      </p>
      {skippedLines.length > 0 && (
        <ul class="skipped-lines" tabIndex={0} aria-label="Skipped lines">
          {skippedLines.map(({ line, reason }) => (
            <li key={line}>
              Line {line}: {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

class FileProblem extends Error {}

/** Files of older programs are not UTF-8 but Windows-1252. */
async function readText(file: File): Promise<string> {
  if (file.size > longestCsv) {
    throw new FileProblem(`The file is larger than ${longestCsv / 1e6} MB. Choose a file with fewer talkgroups.`);
  }
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    throw new FileProblem('The file could not be read. Choose it again.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
