import type { CollectionItem, ItemType } from '@earshot/contract/collection-item';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { signedInUser } from '../../lib/session.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Empty } from '../../lib/ui/elements.tsx';
import { SelectField, TextField } from '../../lib/ui/field.tsx';
import { allDevices, nameOf } from '../device/public.ts';
import { allUsers, userName } from '../user/public.ts';
import { typeOf } from './data.ts';

interface AddItemProps {
  readonly collectionID: number;
  readonly type: ItemType;
  /** Items of the collection; they are not offered again. */
  readonly there: readonly CollectionItem[];
  readonly onClose: () => void;
}

const titles: Readonly<Record<ItemType, string>> = {
  device: 'Add a device',
  user: 'Share with a person',
  file: 'Add a file',
};

export function AddItemDialog({ collectionID, type, there, onClose }: AddItemProps) {
  const taken = new Set(there.filter((item) => typeOf(item) === type).map(({ itemID }) => itemID));
  const add = async ({ itemID = '' }: Readonly<Record<string, string>>) => {
    await api.addCollectionItem({
      params: { collectionItemID: collectionID },
      body: { itemType: type, itemID: Number(itemID) },
    });
    refresh(['items']);
    onClose();
  };
  const options = useOptions(type).filter(({ key }) => !taken.has(key));
  if (type !== 'file' && options.length === 0) {
    return (
      <Dialog title={titles[type]} onClose={onClose}>
        <Empty
          title={type === 'device' ? 'All devices are already in this collection' : 'No other people to share with'}
        >
          {type === 'user' && 'An admin can add people to this installation.'}
        </Empty>
      </Dialog>
    );
  }
  return (
    <Dialog title={titles[type]} onClose={onClose}>
      <ApiForm submit="Add" onSend={add} onCancel={onClose}>
        {type === 'file' ? (
          <TextField
            name="itemID"
            label="File ID"
            type="number"
            min={1}
            hint="You find it in the result of an export event."
            focused
          />
        ) : (
          <SelectField
            name="itemID"
            label={type === 'device' ? 'Device' : 'Person'}
            options={options.map(({ key, label }) => ({ value: String(key), label }))}
            value={String(options[0]?.key ?? '')}
          />
        )}
      </ApiForm>
    </Dialog>
  );
}

function useOptions(type: ItemType): readonly { readonly key: number | undefined; readonly label: string }[] {
  const { data: devices = [] } = useQuery(allDevices);
  const { data: people = [] } = useQuery(allUsers);
  if (type === 'device') return devices.map((device) => ({ key: device.key, label: nameOf(device) }));
  return people
    .filter(({ key }) => key !== signedInUser().userID)
    .map((one) => ({ key: one.key, label: userName(one) }));
}
