import { useQuery } from '../../lib/query.ts';
import { signedInUser } from '../../lib/session.ts';
import { allChannels } from '../channel/public.ts';
import { allCollections } from '../collection/public.ts';
import { allDevices, nameOf } from '../device/public.ts';
import { allPresets } from '../event-preset/public.ts';
import { someTalkgroups } from '../talkgroup/public.tsx';
import { talkgroupText } from '../talkgroup/public.ts';
import { teamNames } from '../team/public.ts';
import { allUsers, userName } from '../user/public.ts';
import type { RuleNames } from '@earshot/contract/rule-sentence';

/** The names of all records that a rule may name, each kind loaded once for the page. */
export function useRuleNames(): RuleNames {
  const { data: devices = [] } = useQuery(allDevices);
  const { data: collections = [] } = useQuery(allCollections);
  const { data: people = [] } = useQuery(allUsers);
  const { data: channels = [] } = useQuery(allChannels);
  const { data: presets = [] } = useQuery(allPresets);
  const { data: teams = [] } = useQuery(teamNames);
  const { data: talkgroups = [] } = useQuery(someTalkgroups(0));
  const me = signedInUser().userID;
  const find = <Item extends { readonly key?: number }>(
    items: readonly Item[],
    name: (item: Item) => string | undefined,
    word: string,
  ) => {
    const known = new Map(items.map((item) => [item.key, name(item)]));
    return (key: number) => known.get(key) || `${word} ${key}`;
  };
  const person = find(people, userName, 'person');
  const labels = new Map(talkgroups.map((one) => [one.talkgroup, talkgroupText(one)]));
  return {
    device: find(devices, nameOf, 'device'),
    collection: find(collections, ({ collectionName }) => collectionName, 'collection'),
    person: (key) => (key === me ? 'me' : person(key)),
    team: find(teams, ({ teamName }) => teamName, 'team'),
    channel: find(channels, ({ channelName }) => channelName, 'channel'),
    preset: find(presets, ({ eventPresetName }) => eventPresetName, 'preset'),
    talkgroup: (number) => labels.get(number) ?? `talkgroup ${number}`,
  };
}
