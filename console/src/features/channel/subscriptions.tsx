import type { Channel } from '@earshot/contract/channel';
import type { Subscription } from '@earshot/contract/subscription';
import { kindsWithoutChanges } from '@earshot/contract/channel-kinds';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { deferAction, isDeferred } from '../../lib/deferred.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { refresh, useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Badge, Empty, Section, UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { allDevices, nameOf } from '../device/public.ts';
import { textOfChange } from './change-text.ts';
import { allSubscriptions, channelText, iconOf } from './data.ts';
import { SubscriptionDialog } from './subscription-dialog.tsx';

/** Which changes go to which channel, without a rule. */
export function SubscriptionsSection({ channels }: { readonly channels: readonly Channel[] }) {
  const subscriptions = useQuery(allSubscriptions);
  const [adding, setAdding] = useState(false);
  const able = channels.filter(({ kind }) => kind !== undefined && !kindsWithoutChanges.includes(kind));
  return (
    <Section
      title="Subscriptions"
      action={
        able.length > 0 && (
          <Button small icon="add" onClick={() => setAdding(true)}>
            Add subscription
          </Button>
        )
      }
    >
      <WhenLoaded from={subscriptions} rows={1}>
        {(list) => {
          const shown = list.filter(({ key }) => !isDeferred(deletionName(key)));
          return shown.length === 0 ? (
            <Empty>Changes that a channel gets without a rule: an event ended, a device went offline.</Empty>
          ) : (
            <ul class="rows">
              {shown.map((subscription) => (
                <SubscriptionRow key={subscription.key} subscription={subscription} channels={channels} />
              ))}
            </ul>
          );
        }}
      </WhenLoaded>
      {adding && <SubscriptionDialog channels={able} onClose={() => setAdding(false)} />}
    </Section>
  );
}

const deletionName = (subscriptionID: number | undefined): string => `subscription ${subscriptionID}`;

interface RowProps {
  readonly subscription: Subscription;
  readonly channels: readonly Channel[];
}

function SubscriptionRow({ subscription, channels }: RowProps) {
  const { key: subscriptionID = 0, channelID, changes, where = {}, lastSentDate, waitingSince } = subscription;
  const { deviceIDs = [], collectionIDs = [] } = where;
  const { data: devices = [] } = useQuery(allDevices);
  const channel = channels.find(({ key }) => key === channelID);
  const name = channel ? channelText(channel) : `Channel ${channelID ?? ''}`;
  const named = deviceIDs.map((key) => {
    const device = devices.find((each) => each.key === key);
    return device ? nameOf(device) : `device ${key}`;
  });
  const remove = () =>
    deferAction(deletionName(subscriptionID), `${name} gets these changes no more.`, async () => {
      await api.deleteSubscription({ params: { subscriptionID } });
      refresh(['subscriptions']);
    });
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-icon">
          <Icon name={channel ? iconOf(channel) : 'link'} />
        </span>
        <span class="row-main">
          <span class="row-title">
            <UserText text={name} />
          </span>
          <span class="row-under">
            <span>{changes.map(textOfChange).join(', ')}</span>
            {named.length > 0 && <UserText text={`of ${named.join(', ')}`} />}
            {collectionIDs.length > 0 && (
              <span>{collectionIDs.length === 1 ? 'of 1 collection' : `of ${collectionIDs.length} collections`}</span>
            )}
            {lastSentDate ? (
              <span>
                last sent <Time date={lastSentDate} />
              </span>
            ) : (
              <span>nothing sent yet</span>
            )}
          </span>
        </span>
        {waitingSince && (
          <Badge tone="warn">
            Behind since <Time date={waitingSince} />
          </Badge>
        )}
      </div>
      <span class="row-actions">
        <Button small kind="quiet" icon="trash" label={`Delete the subscription of ${name}`} onClick={remove} />
      </span>
    </li>
  );
}
