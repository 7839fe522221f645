import type { Channel } from '@earshot/contract/channel';
import type { Delivery } from '@earshot/contract/delivery';
import type { Subscription } from '@earshot/contract/subscription';
import { channelKinds } from '@earshot/contract/channel-kinds';
import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';
import type { IconName } from '../../lib/ui/icon.tsx';

export const allChannels: Query<readonly Channel[]> = { key: 'channels', load: () => api.listChannels() };

export const allSubscriptions: Query<readonly Subscription[]> = {
  key: 'subscriptions',
  load: () => api.listSubscriptions(),
};

const shownDeliveries = 100;

export const deliveriesOf = (channelID: number): Query<readonly Delivery[]> => ({
  key: `deliveries ${channelID}`,
  load: async () => (await api.listDeliveries({ body: { channelID, count: shownDeliveries } })).results,
});

export const channelText = ({ channelName, key }: Channel): string => channelName || `Channel ${key ?? ''}`;

export const kindText = ({ kind }: Channel): string => (kind === undefined ? '' : channelKinds[kind].label);

const icons: Readonly<Partial<Record<NonNullable<Channel['kind']>, IconName>>> = {
  webhook: 'code',
  alertmanager: 'alert',
  pagerduty: 'alert',
  email: 'mail',
  push: 'phone',
  ntfy: 'phone',
  pushover: 'phone',
  gotify: 'phone',
  mqtt: 'home',
  slack: 'chat',
  discord: 'chat',
  telegram: 'chat',
  matrix: 'chat',
  teams: 'chat',
};

export const iconOf = ({ kind }: Channel): IconName => (kind && icons[kind]) ?? 'link';
