import type { Collection } from '@earshot/contract/collection';
import { longTextLength, shortTextLength } from '@earshot/contract/values';
import { deleteCollection } from '@earshot/contract/collection';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { navigate } from '../../lib/location.ts';
import { refresh } from '../../lib/query.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { may } from '../right/public.ts';

interface CollectionDialogProps {
  /** The record to edit; without it a new one is created. */
  readonly collection?: Collection;
  readonly onClose: () => void;
}

const accesses = [
  { value: 'read', label: 'Read: see and play everything in the collection' },
  { value: 'write', label: 'Write: also edit the collection and add items' },
] as const;

export function CollectionDialog({ collection, onClose }: CollectionDialogProps) {
  const save = async ({ collectionName = '', collectionDescription = '', memberAccess }: Values) => {
    const access = accesses.find(({ value }) => value === memberAccess);
    const body = {
      collectionName,
      collectionDescription: collectionDescription || null,
      ...(access ? { memberAccess: access.value } : {}),
    };
    if (collection) {
      await api.updateCollection({ params: { collectionID: collection.key ?? 0 }, body });
      refresh(['collection']);
    } else {
      const { key } = await api.createCollection({ body });
      refresh(['collections']);
      navigate(`/collections/${key}`);
    }
    onClose();
  };
  return (
    <Dialog title={collection ? 'Edit collection' : 'Create collection'} onClose={onClose}>
      <ApiForm submit={collection ? 'Save' : 'Create'} onSend={save} onCancel={onClose}>
        <TextField
          name="collectionName"
          label="Name"
          value={collection?.collectionName ?? ''}
          hint="For example: Harbour"
          maxLength={shortTextLength}
          focused
        />
        <TextArea
          name="collectionDescription"
          label="Description"
          value={collection?.collectionDescription ?? ''}
          rows={2}
          maxLength={longTextLength}
          optional
        />
        {(!collection || may(deleteCollection, { collectionID: collection.key })) && (
          <SelectField
            name="memberAccess"
            label="Access for people in this collection"
            options={accesses}
            value={collection?.memberAccess ?? 'read'}
          />
        )}
      </ApiForm>
    </Dialog>
  );
}
