import type { ItemType } from '@earshot/contract/collection-item';
import { addCollectionItems } from '@earshot/contract/collection-page';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { InputProblem } from '../../lib/input-problem.ts';
import { useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { LinkButton } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Empty } from '../../lib/ui/elements.tsx';
import { FilterPick } from '../../lib/ui/filter-pick.tsx';
import { may } from '../right/public.ts';
import type { AddOutcome, ChosenItem } from './add-items.ts';
import { addItems, needsJob } from './add-items.ts';
import { Added } from './added.tsx';
import type { Collecting } from './collecting.tsx';
import { CollectingProgress, collect } from './collecting.tsx';
import { allCollections } from './data.ts';

interface CollectItemsProps {
  readonly itemType: ItemType;
  readonly items: readonly ChosenItem[];
  readonly onClose: () => void;
}

/** Adds what is selected to a collection that the person may change. */
export function CollectItemsDialog({ itemType, items: selected, onClose }: CollectItemsProps) {
  // The list behind the dialog may change.
  const [items] = useState(selected);
  const { data } = useQuery(allCollections);
  const [chosen, setChosen] = useState('');
  const [outcome, setOutcome] = useState<AddOutcome>();
  const [collecting, setCollecting] = useState<Collecting>();
  const collections = data?.filter(({ key }) => may(addCollectionItems, { collectionID: key }));
  const title = `Add ${countText(items.length, itemType === 'user' ? 'person' : itemType)} to a collection`;
  const send = async () => {
    const collection = collections?.find(({ key }) => String(key) === chosen);
    if (!collection) throw new InputProblem('Choose a collection.');
    if (needsJob(itemType, items)) return setCollecting(await collect(collection.key ?? 0, items));
    const added = await addItems(collection.key ?? 0, itemType, items);
    if (added.failed.length > 0) return setOutcome(added);
    const before = items.length - added.addedCount;
    const there = before > 0 ? ` ${before.toLocaleString('en')} were there already.` : '';
    showToast(`${countText(added.addedCount, 'item')} added to “${collection.collectionName}”.${there}`);
    onClose();
  };
  if (collections?.length === 0) {
    return (
      <Dialog title={title} onClose={onClose}>
        <Empty title="No collection" action={<LinkButton href="/collections">Go to Collections</LinkButton>}>
          Create a collection first. There is none that you may change.
        </Empty>
      </Dialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {collecting ? (
        <CollectingProgress title={title} collecting={collecting} onChange={setCollecting} onClose={onClose} />
      ) : outcome ? (
        <Added outcome={outcome} onClose={onClose} />
      ) : (
        <ApiForm submit="Add" onSend={send} onCancel={onClose}>
          <FilterPick
            label="Collection"
            value={chosen}
            all="Choose a collection"
            options={(collections ?? []).map(({ key = 0, collectionName = '' }) => ({
              value: String(key),
              label: collectionName,
            }))}
            onChange={setChosen}
          />
        </ApiForm>
      )}
    </Dialog>
  );
}
