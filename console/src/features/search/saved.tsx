import type { SavedSearch } from '@earshot/contract/saved-search';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { deferAction, isDeferred } from '../../lib/deferred.ts';
import { navigate } from '../../lib/location.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { UserText, Section } from '../../lib/ui/elements.tsx';
import { TextField } from '../../lib/ui/field.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Menu } from '../../lib/ui/menu.tsx';
import { watchAddress } from '../rule/public.ts';
import type { SearchState } from './address.ts';
import { addressOf, bodyOf } from './address.ts';
import { savedSearches } from './data.ts';

/** Saved searches of the user. They are private. */
export function SavedSearches() {
  const { data = [] } = useQuery(savedSearches);
  const [renaming, setRenaming] = useState<SavedSearch | undefined>();
  const shown = data.filter(({ key }) => !isDeferred(`saved search ${key}`));
  if (shown.length === 0) return null;
  return (
    <Section title="Saved searches" bare>
      <ul class="saved-list">
        {shown.map((saved) => (
          <SavedRow key={saved.key} saved={saved} onRename={() => setRenaming(saved)} />
        ))}
      </ul>
      {renaming && <RenameDialog saved={renaming} onClose={() => setRenaming(undefined)} />}
    </Section>
  );
}

function SavedRow({ saved, onRename }: { readonly saved: SavedSearch; readonly onRename: () => void }) {
  const { key = 0, searchName = '', search } = saved;
  const remove = () =>
    deferAction(`saved search ${key}`, `“${searchName}” is deleted.`, async () => {
      await api.deleteSavedSearch({ params: { savedSearchID: key } });
      refresh(['saved searches']);
    });
  return (
    <li class="saved">
      <a class="saved-link" href={addressOf(search ?? { searchText: '' })}>
        <Icon name="star" />
        <UserText text={searchName} />
      </a>
      <Menu
        label={`More actions for ${searchName}`}
        items={[
          {
            label: 'Watch this search',
            icon: 'bell',
            onSelect: () => navigate(watchAddress(search ?? { searchText: searchName })),
          },
          { label: 'Rename', icon: 'edit', onSelect: onRename },
          { label: 'Delete', icon: 'trash', danger: true, onSelect: remove },
        ]}
      />
    </li>
  );
}

const nameField = { name: 'searchName', label: 'Name', maxLength: 200, focused: true } as const;

function RenameDialog({ saved, onClose }: { readonly saved: SavedSearch; readonly onClose: () => void }) {
  const rename = async ({ searchName = '' }: Readonly<Record<string, string>>) => {
    await api.updateSavedSearch({ params: { savedSearchID: saved.key ?? 0 }, body: { searchName } });
    refresh(['saved searches']);
    onClose();
  };
  return (
    <Dialog title="Rename search" onClose={onClose}>
      <ApiForm submit="Rename" onSend={rename} onCancel={onClose}>
        <TextField {...nameField} value={saved.searchName ?? ''} />
      </ApiForm>
    </Dialog>
  );
}

export function SaveButton({ search }: { readonly search: SearchState }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const save = async ({ searchName = '' }: Readonly<Record<string, string>>) => {
    await api.createSavedSearch({ body: { searchName, search: bodyOf(search) } });
    refresh(['saved searches']);
    showToast('The search is saved.');
    close();
  };
  return (
    <>
      <Button icon="star" label="Save this search" onClick={() => setOpen(true)}>
        Save
      </Button>
      {isOpen && (
        <Dialog title="Save this search" onClose={close}>
          <ApiForm submit="Save" onSend={save} onCancel={close}>
            <TextField {...nameField} value={search.searchText.slice(0, 200)} hint="Visible only to you." />
          </ApiForm>
        </Dialog>
      )}
    </>
  );
}
