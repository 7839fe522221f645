import type { APIKey } from '@earshot/contract/api-key';
import { longTextLength } from '@earshot/contract/values';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Query } from '../../lib/query.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { CopyField } from '../../lib/ui/copy-field.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { KeyRow } from './key-row.tsx';

const myKeys: Query<readonly APIKey[]> = { key: 'keys', load: () => api.listApiKeys() };

export function KeysPage() {
  const keys = useQuery(myKeys);
  const [making, setMaking] = useState(false);
  return (
    <>
      <PageHead
        title="API keys"
        under="Programs authenticate with an API key instead of your password. A key has the same permissions as you."
        actions={
          <Button kind="primary" icon="add" onClick={() => setMaking(true)}>
            Create key
          </Button>
        }
      />
      <div class="card">
        <WhenLoaded from={keys}>
          {(list) =>
            list.length === 0 ? (
              <Empty icon="key" title="No API keys yet">
                Create a key to get an example command. See the <a href="/api">API reference</a> for all operations.
              </Empty>
            ) : (
              <ul class="rows">
                {list.map((key) => (
                  <KeyRow key={key.key} apiKey={key} />
                ))}
              </ul>
            )
          }
        </WhenLoaded>
      </div>
      {making && <MakeKeyDialog onClose={() => setMaking(false)} />}
    </>
  );
}

function MakeKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [made, setMade] = useState<APIKey | undefined>();
  const make = async ({ aPIKeyDescription = '' }: Values) => {
    const key = await api.createApiKey();
    if (aPIKeyDescription !== '') {
      await api.updateApiKey({ params: { apiKeyID: key.key ?? 0 }, body: { aPIKeyDescription } });
    }
    refresh(['keys']);
    setMade(key);
  };
  if (!made) {
    return (
      <Dialog title="Create API key" onClose={onClose}>
        <ApiForm submit="Create" onSend={make} onCancel={onClose}>
          <TextField
            name="aPIKeyDescription"
            label="Description"
            hint="For example: Nightly export"
            maxLength={longTextLength}
            focused
            optional
          />
        </ApiForm>
      </Dialog>
    );
  }
  const { accessKey = '', secretKey = '' } = made;
  return (
    <Dialog title="Your new API key" onClose={onClose}>
      <p>
        <strong>Copy it now: the secret is not shown again.</strong>
      </p>
      <CopyField label="Access key" text={accessKey} />
      <CopyField label="Secret key" text={secretKey} />
      <CopyField
        label="Try it in a terminal"
        text={`curl ${location.origin}/v1/device/list \\\n  -u '${accessKey}:${secretKey}' \\\n  -H 'content-type: application/json' \\\n  -d '{}'`}
        multiline
      />
      <div class="form-end">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
