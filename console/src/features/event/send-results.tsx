import type { Device } from '@earshot/contract/device';
import { errorMessage } from '../../lib/api.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Badge, Progress, UserText } from '../../lib/ui/elements.tsx';
import { nameOf } from '../device/public.ts';
import type { SendOutcome } from '../../lib/send-each.ts';

interface SendResultsProps {
  readonly devices: readonly Device[];
  readonly outcomes: readonly SendOutcome<number>[];
  readonly onRetry: (deviceIDs: readonly number[]) => void;
  readonly onClose: () => void;
}

/** The result for each device, while and after an event is sent to several. */
export function SendResults({ devices, outcomes, onRetry, onClose }: SendResultsProps) {
  const failed = outcomes.filter(({ error }) => error !== undefined);
  const isDone = outcomes.length === devices.length;
  const byDevice = new Map(outcomes.map((outcome) => [outcome.item, outcome]));
  const sent = outcomes.length - failed.length;
  // Failures first: they need a decision.
  const listed = devices.toSorted((a, b) => rank(byDevice.get(a.key ?? 0)) - rank(byDevice.get(b.key ?? 0)));
  return (
    <div class="stack">
      <p role="status">
        {isDone
          ? `Queued for ${countText(sent, 'device')}.${failed.length > 0 ? ` ${countText(failed.length, 'device')} failed.` : ''}`
          : `${outcomes.length} of ${countText(devices.length, 'device')}`}
      </p>
      {!isDone && <Progress value={(100 * outcomes.length) / devices.length} label="Devices" />}
      <ul class="picker-list results" tabIndex={0} aria-label="Results">
        {listed.map((device) => {
          const outcome = byDevice.get(device.key ?? 0);
          return (
            <li key={device.key}>
              <UserText text={nameOf(device)} />
              {!outcome ? (
                <Badge tone="idle">Waiting</Badge>
              ) : outcome.error === undefined ? (
                <Badge tone="good">Queued</Badge>
              ) : (
                <Badge tone="bad">{errorMessage(outcome.error)}</Badge>
              )}
            </li>
          );
        })}
      </ul>
      <div class="form-end">
        {isDone && failed.length > 0 && (
          <Button onClick={() => onRetry(failed.map(({ item }) => item))}>Retry failed</Button>
        )}
        <Button kind="primary" busy={!isDone} onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

const rank = (outcome: SendOutcome<number> | undefined): number => (outcome?.error === undefined ? 1 : 0);
