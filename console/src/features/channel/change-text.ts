import type { LiveChangeName } from '@earshot/contract/live-change';

const nouns: Readonly<Record<string, string>> = {
  device: 'a device',
  agent: 'an agent',
  event: 'an event',
  audioclip: 'a clip',
  caption: 'a transcript',
  collection: 'a collection',
  rulematch: 'a match',
  alert: 'an alert',
};

const verbs: Readonly<Record<string, string>> = {
  created: 'is added',
  changed: 'changes',
  removed: 'is removed',
  ended: 'ends',
  online: 'goes online',
  offline: 'goes offline',
};

/** “a device goes offline” */
export function textOfChange(name: LiveChangeName): string {
  const [kind = '', change = ''] = name.split('.');
  return `${nouns[kind] ?? kind} ${verbs[change] ?? change}`;
}
