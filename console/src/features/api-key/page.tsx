import type { APIKey } from '@earshot/contract/api-key';
import type { ListedKey, KeySort } from '@earshot/contract/api-key-page';
import { longTextLength } from '@earshot/contract/values';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { isDeferred } from '../../lib/deferred.ts';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { refresh } from '../../lib/query.ts';
import { TableView } from '../../lib/table/table-view.tsx';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { CopyField } from '../../lib/ui/copy-field.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { TextField } from '../../lib/ui/field.tsx';
import { FilterSelect } from '../../lib/ui/filter.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { KeyLines, keyColumns } from './columns.tsx';
import { RevokeButton } from './key-row.tsx';

const kinds = [
  { value: '', label: 'All' },
  { value: 'devices', label: 'Of devices' },
  { value: 'people', label: 'Of people' },
] as const;

/** Days without use, after which a key may be one that nobody needs. */
const unusedDays = 90;
const uses = [
  { value: '', label: 'Any' },
  { value: 'unused', label: `Not for ${unusedDays} days` },
] as const;

function filterOf(query: URLSearchParams) {
  const of = query.get('of');
  // Of the day, so that the list stays the same while the page is open.
  const since = new Date(Math.floor(Date.now() / dayMs - unusedDays) * dayMs);
  return {
    ...(of === 'devices' || of === 'people' ? { isOfDevice: of === 'devices' } : {}),
    ...(query.get('use') === 'unused' ? { unusedSince: since.toISOString() } : {}),
  };
}

const dayMs = 86_400_000;

export function KeysPage() {
  const [making, setMaking] = useState(false);
  const { query } = currentLocation.value;
  const filter = filterOf(query);
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
      <TableView
        name="keys"
        label="API keys"
        columns={keyColumns}
        sorts={newestFirst}
        isUsuallyDescending
        search="Search by description, access key, device or person"
        filters={
          <>
            <FilterSelect
              label="Keys"
              value={query.get('of') ?? ''}
              options={kinds}
              onChange={(of) => setQuery({ of })}
            />
            <FilterSelect
              label="Last use"
              value={query.get('use') ?? ''}
              options={uses}
              onChange={(use) => setQuery({ use })}
            />
          </>
        }
        filterCount={Object.keys(filter).length}
        filter={filter}
        load={(request) => api.listKeyPage({ body: { ...filter, ...request } })}
        reloadedWith="keys"
        nameOf={nameOfKey}
        isGone={({ key }) => isDeferred(`apikey ${key}`)}
        actions={{ widthRem: 5, cell: (row) => <RevokeButton apiKeyID={row.key} name={nameOfKey(row)} /> }}
        lines={(row) => <KeyLines row={row} />}
        countText={(count) => countText(count, 'key')}
        empty={(isFiltered) =>
          isFiltered ? (
            <Empty icon="search" title="No matching keys" />
          ) : (
            <Empty icon="key" title="No API keys yet">
              Create a key to get an example command. See the <a href="/api">API reference</a> for all operations.
            </Empty>
          )
        }
      />
      {making && <MakeKeyDialog onClose={() => setMaking(false)} />}
    </>
  );
}

const newestFirst = ['creationDate', 'aPIKeyDescription'] as const satisfies readonly KeySort[];
const nameOfKey = ({ aPIKeyDescription, accessKey }: ListedKey): string => aPIKeyDescription || accessKey;

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
