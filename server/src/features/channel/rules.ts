import type { Channel, ChannelState, ChannelUpdate, NewChannel } from '@earshot/contract/channel';
import { mostChannels } from '@earshot/contract/channel';
import { conflict, notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { hideReason } from '../../platform/outbound/outbound-error.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { recordAct } from '../audit/public.ts';
import { findPersonAt } from './delivery/person-queries.ts';
import type { ChannelReach, Means } from './kinds/kind.ts';
import { kindsByName } from './kinds/kinds.ts';
import type { StoredChannel } from './queries.ts';
import {
  changeChannel,
  countChannels,
  findChannel,
  insertChannel,
  lockChannel,
  putSettings,
  removeChannel,
  selectChannels,
} from './queries.ts';
import {
  changeSettings,
  openChannelSettings,
  requireSettings,
  sealSettings,
  secretsIn,
  showSettings,
} from './settings.ts';

export interface ChannelParts extends Means {
  readonly db: Pool;
  readonly secretBox: SecretBox;
}

/** As the contract shows it. */
async function shown({ db, secretBox }: ChannelParts, caller: Caller, channel: StoredChannel): Promise<Channel> {
  const { sealedSettings, confirmedDate, failures: _failures, lastFault, ...rest } = channel;
  const settings = openChannelSettings(secretBox, channel.key, sealedSettings) ?? {};
  const fault = lastFault === null || caller.role === 'admin' ? lastFault : hideReason(lastFault);
  return {
    ...rest,
    settings: showSettings(channel.kind, settings),
    secretsSet: [...secretsIn(channel.kind, settings)],
    state: await stateOf(db, channel, kindsByName[channel.kind].reach(settings), confirmedDate !== null),
    ...(fault === null ? {} : { lastFault: fault }),
  } as Channel;
}

async function stateOf(
  db: Db,
  { isEnabled, failingSince }: StoredChannel,
  reach: ChannelReach,
  isConfirmed: boolean,
): Promise<ChannelState> {
  if (!isEnabled) return 'disabled';
  if (typeof reach === 'object' && !isConfirmed && !(await findPersonAt(db, reach.email))) return 'unconfirmed';
  return failingSince === null ? 'working' : 'failing';
}

export async function findChannels(parts: ChannelParts, caller: Caller): Promise<Channel[]> {
  const channels = await selectChannels(parts.db, caller);
  return Promise.all(channels.map((channel) => shown(parts, caller, channel)));
}

export async function requireChannel(db: Db, caller: Caller, channelID: number): Promise<StoredChannel> {
  const channel = await findChannel(db, caller, channelID);
  if (!channel) throw notFound('channel', channelID);
  return channel;
}

export async function readChannel(parts: ChannelParts, caller: Caller, channelID: number): Promise<Channel> {
  return shown(parts, caller, await requireChannel(parts.db, caller, channelID));
}

export async function addChannel(parts: ChannelParts, caller: Caller, given: NewChannel): Promise<Channel> {
  const { channelName, kind, isEnabled = true } = given;
  const settings = changeSettings({}, given.settings);
  requireSettings(kind, settings, parts);
  const key = await inTransaction(parts.db, async (tx) => {
    if ((await countChannels(tx, caller.userID)) >= mostChannels)
      throw conflict(`You have ${mostChannels} channels, the limit; delete one first.`);
    const channelID = await insertChannel(tx, caller, { channelName, kind, isEnabled });
    await putSettings(tx, channelID, sealSettings(parts.secretBox, channelID, settings));
    await recordAct(tx, caller, 'channel-created', { recordID: channelID });
    return channelID;
  });
  return readChannel(parts, caller, key);
}

export async function editChannel(
  parts: ChannelParts,
  caller: Caller,
  channelID: number,
  { channelName, isEnabled, settings: given }: ChannelUpdate,
): Promise<Channel> {
  await inTransaction(parts.db, async (tx) => {
    const channel = await lockChannel(tx, caller, channelID);
    if (!channel) throw notFound('channel', channelID);
    const { kind, sealedSettings: before } = channel;
    const former = openChannelSettings(parts.secretBox, channelID, before) ?? {};
    const settings = given && changeSettings(former, given);
    if (settings) requireSettings(kind, settings, parts);
    const sealedSettings = settings && sealSettings(parts.secretBox, channelID, settings);
    const isElsewhere = settings !== undefined && settings.address !== former.address;
    await changeChannel(tx, caller, channelID, { channelName, isEnabled, sealedSettings, isElsewhere });
    await recordAct(tx, caller, 'channel-changed', { recordID: channelID });
  });
  return readChannel(parts, caller, channelID);
}

export async function eraseChannel(db: Pool, caller: Caller, channelID: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await removeChannel(tx, caller, channelID))) throw notFound('channel', channelID);
    await recordAct(tx, caller, 'channel-removed', { recordID: channelID });
  });
}
