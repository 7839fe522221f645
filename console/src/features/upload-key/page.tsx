import type { UploadKey } from '@earshot/contract/upload-key';
import { useState } from 'preact/hooks';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { uploadKeys } from './data.ts';
import type { KeyAction } from './dialogs.tsx';
import { KeyDialog } from './dialogs.tsx';
import { UploadKeyRow } from './row.tsx';

interface Opened {
  readonly action: KeyAction;
  readonly uploadKey?: UploadKey;
}

export function UploadKeysPage() {
  const keys = useQuery(uploadKeys);
  const [opened, setOpened] = useState<Opened | undefined>();
  return (
    <>
      <PageHead
        title="Upload keys"
        under={
          <span>
            For radio recorders such as trunk-recorder and SDRTrunk. See the{' '}
            <a href="/api#recorders">configuration of each recorder</a>.
          </span>
        }
        actions={
          <Button kind="primary" icon="add" onClick={() => setOpened({ action: 'create' })}>
            Create upload key
          </Button>
        }
      />
      <div class="card">
        <WhenLoaded from={keys}>
          {(list) =>
            list.length === 0 ? (
              <Empty icon="upload" title="No upload keys yet">
                With an upload key, a recorder that you already run sends its calls here. Each radio system becomes a
                device when its first call arrives.
              </Empty>
            ) : (
              <ul class="rows">
                {list.map((uploadKey) => (
                  <UploadKeyRow
                    key={uploadKey.key}
                    uploadKey={uploadKey}
                    onAction={(action) => setOpened({ action, uploadKey })}
                  />
                ))}
              </ul>
            )
          }
        </WhenLoaded>
      </div>
      {opened && <KeyDialog {...opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
