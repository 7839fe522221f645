import type { Channel, ChannelState } from '@earshot/contract/channel';
import type { Tone } from '../../lib/ui/elements.tsx';
import { Badge, UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Menu } from '../../lib/ui/menu.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { Button } from '../../lib/ui/button.tsx';
import { channelText, iconOf, kindText } from './data.ts';
import type { ChannelAction } from './dialogs.tsx';

interface ChannelRowProps {
  readonly channel: Channel;
  readonly onAction: (action: ChannelAction) => void;
}

const states: Readonly<Record<ChannelState, { readonly tone: Tone; readonly text: string } | undefined>> = {
  working: undefined,
  failing: { tone: 'bad', text: 'Failing' },
  disabled: { tone: 'idle', text: 'Switched off' },
  unconfirmed: { tone: 'warn', text: 'Not confirmed' },
};

export function ChannelRow({ channel, onAction }: ChannelRowProps) {
  const { state = 'working', lastDeliveredDate, lastFault, settings } = channel;
  const name = channelText(channel);
  const badge = states[state];
  const places = [settings?.url, settings?.address, settings?.topic].filter((place) => place !== undefined);
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-icon">
          <Icon name={iconOf(channel)} />
        </span>
        <span class="row-main">
          <span class="row-title">
            <UserText text={name} />
          </span>
          <span class="row-under">
            <span>{kindText(channel)}</span>
            {places.map((place) => (
              <UserText key={place} text={place} />
            ))}
            {lastFault ? (
              <UserText text={`not delivered: ${lastFault}`} />
            ) : lastDeliveredDate ? (
              <span>
                last sent <Time date={lastDeliveredDate} />
              </span>
            ) : (
              <span>nothing sent yet</span>
            )}
          </span>
        </span>
        {badge && <Badge tone={badge.tone}>{badge.text}</Badge>}
      </div>
      <span class="row-actions">
        <Button small label={`Test ${name}`} onClick={() => onAction('test')}>
          Test
        </Button>
        <Menu
          label={`More actions for ${name}`}
          items={[
            { label: 'Edit', icon: 'edit', onSelect: () => onAction('edit') },
            { label: 'Deliveries', icon: 'history', onSelect: () => onAction('deliveries') },
            { label: 'Delete', icon: 'trash', danger: true, onSelect: () => onAction('delete') },
          ]}
        />
      </span>
    </li>
  );
}
