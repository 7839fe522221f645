import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Badge, Empty, UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { deliveriesOf } from './data.ts';
import { kindOfDelivery, stateOfDelivery } from './delivery-text.ts';
import type { ChannelDialogProps } from './dialogs.tsx';

/** The newest messages of a channel, without their words. */
export function DeliveriesDialog({ channel, onClose }: ChannelDialogProps) {
  const deliveries = useQuery(deliveriesOf(channel.key ?? 0));
  return (
    <Dialog title="Deliveries" onClose={onClose}>
      <WhenLoaded from={deliveries}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="Nothing sent yet">Messages of this channel are listed here, without their words.</Empty>
          ) : (
            <ul class="rows">
              {list.map((delivery) => {
                const { tone, text } = stateOfDelivery[delivery.state ?? 'waiting'];
                return (
                  <li class="row" key={delivery.key}>
                    <div class="row-body">
                      <span class="row-main">
                        <span class="row-title">{kindOfDelivery(delivery)}</span>
                        <span class="row-under">
                          {delivery.creationDate && <Time date={delivery.creationDate} />}
                          {delivery.attempts !== 1 && <span>{delivery.attempts} attempts</span>}
                          {delivery.reason && <UserText text={delivery.reason} />}
                        </span>
                      </span>
                      <Badge tone={tone}>{text}</Badge>
                    </div>
                  </li>
                );
              })}
            </ul>
          )
        }
      </WhenLoaded>
    </Dialog>
  );
}
