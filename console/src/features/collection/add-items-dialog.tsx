import type { ItemType } from '@earshot/contract/collection-item';
import { useMemo, useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { InputProblem } from '../../lib/input-problem.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Query } from '../../lib/query.ts';
import { useLatest } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Empty, UserText } from '../../lib/ui/elements.tsx';
import { SearchField } from '../../lib/ui/search-field.tsx';
import type { AddOutcome, ChosenItem } from './add-items.ts';
import { addItems, needsJob } from './add-items.ts';
import { Added } from './added.tsx';
import type { Collecting } from './collecting.tsx';
import { CollectingProgress, collect } from './collecting.tsx';
import type { ItemCandidates } from './find-items.ts';
import { findItemCandidates, findMatchingDevices } from './find-items.ts';

interface AddItemsProps {
  readonly collectionID: number;
  readonly type: ItemType;
  readonly onClose: () => void;
}

const texts: Readonly<Record<ItemType, { readonly title: string; readonly find: string; readonly none: string }>> = {
  device: { title: 'Add devices', find: 'Search by name, serial or description', none: 'No matching devices' },
  user: { title: 'Share with people', find: 'Search by name or email', none: 'No other people to share with' },
  file: { title: 'Add files', find: 'Search recordings by title', none: 'No matching recordings' },
};
const mostListed = 50;

const candidatesOf = (type: ItemType, text: string): Query<ItemCandidates> => ({
  key: `candidates ${type} ${text}`,
  load: () => findItemCandidates[type](text, mostListed),
});

/** Finds what to add to a collection; devices by search and one by one, or all that match. */
export function AddItemsDialog({ collectionID, type, onClose }: AddItemsProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ReadonlyMap<number, ChosenItem>>(new Map());
  const [outcome, setOutcome] = useState<AddOutcome>();
  const [collecting, setCollecting] = useState<Collecting>();
  const candidates = useLatest(useMemo(() => candidatesOf(type, text), [type, text]));
  const { title, find, none } = texts[type];
  const toggle = (item: ChosenItem) => {
    const next = new Map(chosen);
    if (!next.delete(item.itemID)) next.set(item.itemID, item);
    setChosen(next);
  };
  const chooseEvery = async () =>
    setChosen(new Map((await findMatchingDevices(text)).map((item) => [item.itemID, item])));
  const send = async () => {
    if (chosen.size === 0) throw new InputProblem('Choose at least one.');
    const items = [...chosen.values()];
    if (needsJob(type, items)) return setCollecting(await collect(collectionID, items));
    const added = await addItems(collectionID, type, items);
    if (added.failed.length > 0) return setOutcome(added);
    showToast(`${countText(added.addedCount, 'item')} added.`);
    onClose();
  };
  if (outcome || collecting) {
    return (
      <Dialog title={title} onClose={onClose}>
        {collecting && (
          <CollectingProgress title={title} collecting={collecting} onChange={setCollecting} onClose={onClose} />
        )}
        {outcome && <Added outcome={outcome} onClose={onClose} />}
      </Dialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <SearchField label={find} value="" focused onSearch={setText} />
      <ApiForm
        submit={chosen.size > 0 ? `Add ${chosen.size.toLocaleString('en')}` : 'Add'}
        onSend={send}
        onCancel={onClose}
      >
        <WhenLoaded from={candidates} rows={4}>
          {({ found, total, isExact }) =>
            found.length === 0 ? (
              <Empty title={none} />
            ) : (
              <>
                <ul class="picker-list" aria-label={title}>
                  {found.slice(0, mostListed).map((item) => (
                    <li key={item.itemID}>
                      <label class="pick-row">
                        <input type="checkbox" checked={chosen.has(item.itemID)} onChange={() => toggle(item)} />
                        <UserText text={item.name} />
                        <span class="quiet">
                          <UserText text={item.under === item.name ? '' : item.under} />
                        </span>
                      </label>
                    </li>
                  ))}
                </ul>
                <p class="hint" role="status">
                  {chosen.size > 0 && `${chosen.size.toLocaleString('en')} chosen. `}
                  {(total > found.length || !isExact) &&
                    `The first ${found.length} of ${isExact ? '' : 'more than '}${total.toLocaleString('en')}: search for the others.`}
                </p>
                {type === 'device' && total > 1 && (
                  <Button small onClick={() => void chooseEvery()}>
                    {`Choose all ${total.toLocaleString('en')}`}
                  </Button>
                )}
              </>
            )
          }
        </WhenLoaded>
      </ApiForm>
    </Dialog>
  );
}
