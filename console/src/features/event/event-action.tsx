import { cancelEvent } from '@earshot/contract/event';
import { errorMessage } from '../../lib/api.ts';
import { isDeferred } from '../../lib/deferred.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { may } from '../right/public.ts';
import { requestCancel, sendAgain } from './data.ts';
import { maySend } from './may-send.ts';
import { hasEnded } from './progress.ts';
import type { ListedEvent } from './lists.ts';

interface EventActionProps {
  readonly event: ListedEvent;
  readonly title: string;
  readonly withLabel?: boolean;
}

export function EventAction({ event, title, withLabel = false }: EventActionProps) {
  const label = `${title}, ${event.deviceName ?? `event ${event.key}`}`;
  const isEnded = hasEnded(event);
  const on = { deviceID: event.deviceID };
  const isAllowed = isEnded ? maySend(event.eventTypeID, on) : may(cancelEvent, on);
  if (isDeferred(`event ${event.key}`) || !isAllowed) return null;
  const again = () =>
    void sendAgain(event, title).catch((error: unknown) => showToast(errorMessage(error), { tone: 'bad' }));
  if (isEnded) {
    return (
      <Button
        small={!withLabel}
        kind={withLabel ? 'plain' : 'quiet'}
        icon="repeat"
        label={`Send again: ${label}`}
        onClick={again}
      >
        {withLabel ? 'Send again' : undefined}
      </Button>
    );
  }
  const cancel = () => requestCancel(event, title);
  return (
    <Button
      small={!withLabel}
      kind={withLabel ? 'plain' : 'quiet'}
      icon="close"
      label={`Cancel ${label}`}
      onClick={cancel}
    >
      {withLabel ? 'Cancel' : undefined}
    </Button>
  );
}
