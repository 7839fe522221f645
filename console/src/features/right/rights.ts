import type { Right } from '@earshot/contract/operation';
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

/** Whether the user may change the device and its clips, events and settings. False until the server has told it. */
export const mayWrite = (deviceID: number | undefined): boolean =>
  deviceID !== undefined && ['write', 'own'].includes(rightTo('device', deviceID) ?? '');

/** Whether the user may remove the device or give it away. */
export const mayOwn = (deviceID: number | undefined): boolean =>
  deviceID !== undefined && rightTo('device', deviceID) === 'own';

export const mayChangeCollection = (collectionID: number | undefined): boolean =>
  collectionID !== undefined && ['write', 'own'].includes(rightTo('collection', collectionID) ?? '');

export const mayOwnCollection = (collectionID: number | undefined): boolean =>
  collectionID !== undefined && rightTo('collection', collectionID) === 'own';

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
