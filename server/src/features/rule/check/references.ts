import type { FieldError } from '@earshot/contract/validation';
import { findReadable, findWritableDevices } from '../../../access.ts';
import { invalid } from '../../../errors.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { findReadablePreset } from '../../event-preset/public.ts';
import { presentKey } from '../core/judge.ts';
import type { Definition } from '../definition.ts';
import { findChannelsOf, findExistingTeams, findPeople } from '../queries.ts';
import { findMerged } from '../trial/scope-queries.ts';

/** The parts of a definition that a request names: what stays as it was is not asked again. */
export type NamedParts = Partial<Pick<Definition, 'where' | 'actions'>>;

interface Named {
  readonly path: string;
  readonly key: number;
}

const unseen = (noun: string, { path, key }: Named): FieldError => ({
  path,
  message: `names ${noun} ${key}, which does not exist or which the owner of the rule may not see`,
});

const entries = (path: string, keys: readonly number[] | undefined): readonly Named[] =>
  (keys ?? []).map((key, at) => ({ path: `${path}[${at}]`, key }));

/** Throws 400 unless all records that the rule names exist and its owner has the right that it needs to them. */
export async function requireReferences(db: Db, owner: Caller, { where, actions = [] }: NamedParts): Promise<void> {
  const devices = [
    ...entries('where.deviceIDs', where?.deviceIDs),
    ...(where?.talkgroups ?? []).flatMap(({ deviceID }, at) =>
      deviceID === undefined ? [] : [{ path: `where.talkgroups[${at}].deviceID`, key: deviceID }],
    ),
  ];
  const collections = entries('where.collectionIDs', where?.collectionIDs);
  const into = await findMerged(
    db,
    devices.map(({ key }) => key),
  );
  const readable = await findReadable(
    db,
    owner,
    devices.map(({ key }) => presentKey(key, into)),
    collections.map(({ key }) => key),
  );
  const errors = [
    ...devices
      .filter(({ key }) => !readable.devices.has(presentKey(key, into)))
      .map((named) => unseen('device', named)),
    ...collections.filter(({ key }) => !readable.collections.has(key)).map((named) => unseen('collection', named)),
    ...(await checkRecipients(db, actions, 'userID', 'person', findPeople)),
    ...(await checkRecipients(db, actions, 'teamID', 'team', findExistingTeams)),
    ...(await checkChannels(db, owner, actions)),
    ...(await checkTargets(db, owner, actions)),
    ...(await checkPresets(db, owner, actions)),
  ];
  if (errors.length > 0) throw invalid(errors);
}

/** Everybody may be told, and every team: each person only of devices that they may read then. */
async function checkRecipients(
  db: Db,
  actions: Definition['actions'],
  field: 'userID' | 'teamID',
  noun: string,
  findExisting: (db: Db, keys: readonly number[]) => Promise<ReadonlySet<number>>,
): Promise<readonly FieldError[]> {
  const named = actions.flatMap(({ to = [] }, at) =>
    to.flatMap(({ [field]: key }, place) =>
      key === undefined ? [] : [{ path: `actions[${at}].to[${place}].${field}`, key }],
    ),
  );
  if (named.length === 0) return [];
  const existing = await findExisting(
    db,
    named.map(({ key }) => key),
  );
  return named
    .filter(({ key }) => !existing.has(key))
    .map(({ path, key }) => ({
      path,
      message: `names ${noun} ${key}, ${noun === 'team' ? 'which' : 'who'} does not exist`,
    }));
}

async function checkChannels(db: Db, owner: Caller, actions: Definition['actions']): Promise<readonly FieldError[]> {
  const named = actions.flatMap(({ to = [] }, at) =>
    to.flatMap(({ channelID }, place) =>
      channelID === undefined ? [] : [{ path: `actions[${at}].to[${place}].channelID`, key: channelID }],
    ),
  );
  if (named.length === 0) return [];
  const channels = await findChannelsOf(
    db,
    owner,
    named.map(({ key }) => key),
  );
  return named
    .filter(({ key }) => !channels.has(key))
    .map(({ path, key }) => ({ path, message: `names channel ${key}, which is no channel of the owner of the rule` }));
}

async function checkTargets(db: Db, owner: Caller, actions: Definition['actions']): Promise<readonly FieldError[]> {
  const named = actions.flatMap(({ deviceIDs }, at) => entries(`actions[${at}].deviceIDs`, deviceIDs));
  if (named.length === 0) return [];
  const writable = await findWritableDevices(
    db,
    owner,
    named.map(({ key }) => key),
  );
  return named
    .filter(({ key }) => !writable.has(key))
    .map(({ path, key }) => ({
      path,
      message: `names device ${key}, which does not exist or which the owner of the rule may not change`,
    }));
}

async function checkPresets(db: Db, owner: Caller, actions: Definition['actions']): Promise<readonly FieldError[]> {
  const errors: FieldError[] = [];
  for (const [at, { eventPresetID }] of actions.entries()) {
    if (eventPresetID === undefined) continue;
    const path = `actions[${at}].eventPresetID`;
    const preset = await findReadablePreset(db, owner, eventPresetID);
    if (!preset) errors.push(unseen('event preset', { path, key: eventPresetID }));
    else if (!preset.eventTypeID)
      errors.push({ path, message: `names event preset ${eventPresetID}, which has no event type to run` });
  }
  return errors;
}
