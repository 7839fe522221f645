import type { LiveKind } from '@earshot/contract/live-change';
import type { Change } from './query.ts';
import { reload } from './query.ts';

interface Keyed {
  readonly key?: number;
}

interface Following<Item> {
  readonly kind: LiveKind;
  /** Fields of the list that the record itself does not have, such as names. */
  readonly keep?: readonly (keyof Item)[];
  /** Whether a record that is not in the list may belong to it. */
  readonly wants?: (change: Change) => boolean;
}

/** Applies changes to a list: known records are replaced in place, a new record reloads the list. */
export function followList<Item extends Keyed>({ kind, keep = [], wants = () => true }: Following<Item>) {
  return (list: readonly Item[], change: Change): readonly Item[] | typeof reload => {
    // A collection changes which records are visible; deleting a device also deletes its records.
    if (change.event === 'collection' && kind !== 'collection') return reload;
    if (change.event === 'device' && change.change === 'removed' && kind !== 'device') return reload;
    if (change.event !== kind) return list;
    const index = list.findIndex(({ key }) => key === change.key);
    if (change.change === 'removed') return index < 0 ? list : list.toSpliced(index, 1);
    const item = list[index];
    if (!item) return wants(change) ? reload : list;
    const kept = Object.fromEntries(keep.map((name) => [name, item[name]]));
    return list.with(index, { ...kept, ...change.record } as unknown as Item);
  };
}

/** Applies changes to one record. */
export function followOne<Item extends Keyed>(kind: LiveKind) {
  return (item: Item, change: Change): Item | typeof reload => {
    if (change.event === 'collection' && kind !== 'collection') return reload;
    if (change.event !== kind || change.key !== item.key) return item;
    return change.change === 'removed' || !change.record ? reload : (change.record as unknown as Item);
  };
}

/** For data that only the server can compute: reloads when a record of these kinds changes. */
export function followKinds<Data>(...kinds: readonly LiveKind[]) {
  return (data: Data, change: Change): Data | typeof reload => (kinds.includes(change.event) ? reload : data);
}
