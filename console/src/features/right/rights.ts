import type { Access, Right } from '@earshot/contract/operation';
import { longestIdList } from '@earshot/contract/values';
import type { Signal } from '@preact/signals';
import { signal } from '@preact/signals';
import { api } from '../../lib/api.ts';
import { watchChanges } from '../../lib/query.ts';
import { isAdmin, onSignOut } from '../../lib/session.ts';

type Kind = 'device' | 'collection';

/** Rights that the server has told, by `device 17`. Undefined while it is asked. */
const known = new Map<string, Signal<Right | undefined>>();
const asked = { device: new Set<number>(), collection: new Set<number>() };

/** Rights that components ask for in one rendering are requested together. */
async function ask(): Promise<void> {
  const [deviceIDs, collectionIDs] = [takeFirst(asked.device), takeFirst(asked.collection)];
  if (deviceIDs.length + collectionIDs.length === 0) return;
  try {
    const { devices, collections } = await api.listRights({ body: { deviceIDs, collectionIDs } });
    for (const { deviceID, right } of devices) signalOf('device', deviceID).value = right;
    for (const { collectionID, right } of collections) signalOf('collection', collectionID).value = right;
  } catch {
    // Without a right nothing is offered; asked again when a component asks next.
    for (const id of deviceIDs) known.delete(`device ${id}`);
    for (const id of collectionIDs) known.delete(`collection ${id}`);
  }
  await ask();
}

function takeFirst(ids: Set<number>): number[] {
  const taken = [...ids].slice(0, longestIdList);
  for (const id of taken) ids.delete(id);
  return taken;
}

function signalOf(kind: Kind, id: number): Signal<Right | undefined> {
  const key = `${kind} ${id}`;
  const made = known.get(key) ?? signal<Right | undefined>(undefined);
  known.set(key, made);
  return made;
}

function rightTo(kind: Kind, id: number): Right | undefined {
  if (isAdmin()) return 'own';
  if (!known.has(`${kind} ${id}`) && id > 0) request(kind, id);
  return signalOf(kind, id).value;
}

function request(kind: Kind, id: number): void {
  const isFirst = asked.device.size + asked.collection.size === 0;
  asked[kind].add(id);
  if (isFirst) queueMicrotask(() => void ask());
}

/** What an operation is declared with that says who may call it. The access tests read the same. */
export interface Declared {
  readonly access: Access;
  readonly acts: readonly { readonly right: Right }[];
}

/** The record of a request. The rights to what belongs to a device or a collection are those to it. */
interface On {
  readonly deviceID?: number | undefined;
  readonly collectionID?: number | undefined;
}

const includedIn: Readonly<Record<Right, readonly (Right | undefined)[]>> = {
  read: ['read', 'write', 'own'],
  write: ['write', 'own'],
  own: ['own'],
};

/**
 * Whether the user may call an operation, on the given record if it concerns one. False until the server has told the
 * right to that record. Without a record: whether anybody with this role may; lists of one's own need no more.
 */
export function may({ access, acts }: Declared, on: On = {}): boolean {
  if (access === 'admin' && !isAdmin()) return false;
  const rights = [
    ...('deviceID' in on ? [rightTo('device', on.deviceID ?? 0)] : []),
    ...('collectionID' in on ? [rightTo('collection', on.collectionID ?? 0)] : []),
  ];
  return rights.every((right) => acts.every((act) => includedIn[act.right].includes(right)));
}

/** What was shared or given away changes rights: all are asked again. */
function askAgain(): void {
  for (const key of known.keys()) {
    const [kind, id] = key.split(' ');
    request(kind as Kind, Number(id));
  }
}

watchChanges((change) => {
  if (isAdmin() || known.size === 0) return;
  const mayChange = change === 'reset' || change.event === 'collection' || change.event === 'device';
  if (mayChange) askAgain();
});
onSignOut(() => {
  known.clear();
  asked.device.clear();
  asked.collection.clear();
});
