import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import type { Rule } from '@earshot/contract/rule';
import type { NewRule } from '@earshot/contract/rule';
import type { RuleNames } from '@earshot/contract/rule-sentence';
import { exitCodes, Failure } from './failure.ts';

/** A rule by its name, then by its number. */
export async function ruleByWord(client: Client, word: string): Promise<Rule & { readonly key: number }> {
  const named = (await client.listRules({ query: { count: 1_000 } })).filter(
    ({ ruleName }) => ruleName?.toLowerCase() === word.toLowerCase(),
  );
  if (named.length > 1) throw new Failure(`Several rules have the name “${word}”. Use the number of one.`);
  const found =
    named[0] ??
    (/^\d{1,15}$/.test(word) ? await orGone(client.getRule({ params: { ruleID: Number(word) } })) : undefined);
  if (found?.key !== undefined) return { ...found, key: found.key };
  throw new Failure(
    `There is no rule “${word}” that you can see. “earshot rules list” lists them.`,
    exitCodes.notFound,
  );
}

/** Undefined if the record is gone or may not be seen. */
async function orGone<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** The names of what rules name, as far as you may see them. */
export async function namesOfRules(client: Client, rules: readonly Partial<NewRule>[]): Promise<RuleNames> {
  const actions = rules.flatMap((rule) => rule.actions ?? []);
  const devices = distinct([
    ...rules.flatMap(({ where }) => [
      ...(where?.deviceIDs ?? []),
      ...(where?.talkgroups ?? []).flatMap(({ deviceID }) => deviceID ?? []),
    ]),
    ...actions.flatMap(({ deviceIDs }) => deviceIDs ?? []),
  ]);
  const collections = distinct(rules.flatMap(({ where }) => where?.collectionIDs ?? []));
  const names = new Map<string, string>();
  const add = (kind: keyof RuleNames, key: number | undefined, name: string | undefined): void => {
    if (name) names.set(`${kind} ${key}`, name);
  };
  await Promise.all([
    ...devices.map(async (deviceID) => {
      const device = await orGone(client.getDevice({ params: { deviceID } }));
      add('device', deviceID, device?.deviceName || device?.deviceSerial);
    }),
    ...collections.map(async (collectionID) =>
      add(
        'collection',
        collectionID,
        (await orGone(client.getCollection({ params: { collectionID } })))?.collectionName,
      ),
    ),
  ]);
  if (actions.some(({ to }) => to?.some(({ teamID }) => teamID !== undefined)))
    for (const { key, teamName } of await client.listTeamNames()) add('team', key, teamName);
  if (actions.some(({ to }) => to?.some(({ userID }) => userID !== undefined)))
    for (const { key, displayName, email } of await client.listUsers()) add('person', key, displayName || email);
  if (actions.some(({ eventPresetID }) => eventPresetID !== undefined))
    for (const { key, eventPresetName } of await client.listEventPresets()) add('preset', key, eventPresetName);
  if (actions.some(({ to }) => to?.some(({ channelID }) => channelID !== undefined)))
    for (const { key, channelName } of await client.listChannels()) add('channel', key, channelName);
  const nameOf = (kind: keyof RuleNames) => (key: number) => names.get(`${kind} ${key}`) ?? `${kind} ${key}`;
  return {
    device: nameOf('device'),
    collection: nameOf('collection'),
    person: nameOf('person'),
    team: nameOf('team'),
    preset: nameOf('preset'),
    channel: nameOf('channel'),
    talkgroup: nameOf('talkgroup'),
  };
}

const distinct = (keys: readonly number[]): number[] => [...new Set(keys)];
