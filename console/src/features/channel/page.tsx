import type { Channel } from '@earshot/contract/channel';
import { useState } from 'preact/hooks';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { allChannels } from './data.ts';
import type { ChannelAction } from './dialogs.tsx';
import { ChannelDialog } from './dialogs.tsx';
import { ChannelRow } from './row.tsx';
import { SubscriptionsSection } from './subscriptions.tsx';
import { ThisBrowser } from './this-browser.tsx';

interface Opened {
  readonly action: ChannelAction;
  readonly channel?: Channel;
}

export function ChannelsPage() {
  const channels = useQuery(allChannels);
  const [opened, setOpened] = useState<Opened | undefined>();
  return (
    <>
      <PageHead
        title="Channels"
        under="Where your rules tell people and programs outside of Earshot."
        actions={
          <Button kind="primary" icon="add" onClick={() => setOpened({ action: 'create' })}>
            Add channel
          </Button>
        }
      />
      <div class="card">
        <WhenLoaded from={channels}>
          {(list) =>
            list.length === 0 ? (
              <Empty icon="link" title="No channels yet">
                Add a chat, a phone or a program of yours, then choose it in a rule under “tell”.
              </Empty>
            ) : (
              <ul class="rows">
                {list.map((channel) => (
                  <ChannelRow
                    key={channel.key}
                    channel={channel}
                    onAction={(action) => setOpened({ action, channel })}
                  />
                ))}
              </ul>
            )
          }
        </WhenLoaded>
      </div>
      <SubscriptionsSection channels={channels.data ?? []} />
      <ThisBrowser />
      {opened && <ChannelDialog {...opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
