/*
 * What a change of the live stream is called, the same for everybody who names changes: `GET /v1/live?changes=…`, which
 * `earshot tail --change` uses, and subscriptions.
 */

/** The `event` of a change: the kind of its record. */
export const liveKinds = [
  'device',
  'agent',
  'event',
  'audioclip',
  'caption',
  'collection',
  'rulematch',
  'alert',
] as const;
export type LiveKind = (typeof liveKinds)[number];

export const liveChanges = ['created', 'changed', 'removed'] as const;
export type LiveChangeKind = (typeof liveChanges)[number];

/** What some changes made of their record, beside changing it. */
export const liveOutcomes = ['ended', 'online', 'offline'] as const;
export type LiveOutcome = (typeof liveOutcomes)[number];

export type LiveChangeName = `${LiveKind}.${LiveChangeKind}` | 'event.ended' | 'device.online' | 'device.offline';

/** All names, those of each kind together. */
export const liveChangeNames: readonly [LiveChangeName, ...LiveChangeName[]] = liveKinds.flatMap((kind) => [
  ...liveChanges.map((change): LiveChangeName => `${kind}.${change}`),
  ...(kind === 'event' ? (['event.ended'] as const) : []),
  ...(kind === 'device' ? (['device.online', 'device.offline'] as const) : []),
]) as [LiveChangeName, ...LiveChangeName[]];

export interface NamedChange {
  readonly kind: LiveKind;
  readonly change: LiveChangeKind;
  readonly outcome: LiveOutcome | null;
}

/** The name under which a subscriber who asked for these gets the change; undefined: not at all. */
export function nameChange(
  { kind, change, outcome }: NamedChange,
  wanted: ReadonlySet<LiveChangeName>,
): LiveChangeName | undefined {
  const narrow = outcome === null ? undefined : (`${kind}.${outcome}` as LiveChangeName);
  if (narrow !== undefined && wanted.has(narrow)) return narrow;
  const wide: LiveChangeName = `${kind}.${change}`;
  return wanted.has(wide) ? wide : undefined;
}

/** Every change of these kinds. */
export const changesOfKinds = (kinds: readonly LiveKind[]): ReadonlySet<LiveChangeName> =>
  new Set(kinds.flatMap((kind) => liveChanges.map((change): LiveChangeName => `${kind}.${change}`)));

export const kindOfChange = (name: LiveChangeName): LiveKind => name.split('.')[0] as LiveKind;
