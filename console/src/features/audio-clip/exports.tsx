import type { Event } from '@earshot/contract/event';
import { signal } from '@preact/signals';
import { useQuery } from '../../lib/query.ts';
import { onSignOut } from '../../lib/session.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Badge, UserText, Progress } from '../../lib/ui/elements.tsx';
import { hasEnded, oneEvent } from '../event/public.ts';
import { Download, EventStateBadge, fileOf } from '../event/public.tsx';

interface Export {
  readonly eventID: number;
  /** Describes the content, such as device and time. */
  readonly label: string;
}

/** Exports started in this tab. The list is lost when the tab closes; the page Exports has all of them. */
const exports = signal<readonly Export[]>([]);
onSignOut(() => (exports.value = []));

export function followExport({ key: eventID = 0 }: Event, label: string): void {
  // An equal request is answered by the export that exists.
  const others = exports.peek().filter((made) => made.eventID !== eventID);
  exports.value = [{ eventID, label }, ...others].slice(0, 5);
}

export function Exports() {
  if (exports.value.length === 0) return null;
  return (
    <section class="exports card" aria-label="Exports">
      <ul class="rows" aria-live="polite">
        {exports.value.map((made) => (
          <ExportRow key={made.eventID} {...made} />
        ))}
      </ul>
    </section>
  );
}

function ExportRow({ eventID, label }: Export) {
  const { data: event = { key: eventID } } = useQuery(oneEvent(eventID));
  const fileID = fileOf(event);
  const close = () => (exports.value = exports.peek().filter((made) => made.eventID !== eventID));
  return (
    <li class="row export">
      <div class="row-body slim">
        <span class="row-main">
          <span class="row-title">
            <UserText text={label} />
          </span>
          <span class="row-under">
            {hasEnded(event) && fileID === undefined && <UserText text={event.result} />}
            {fileID !== undefined && <span>Available for download for a week</span>}
          </span>
          {!hasEnded(event) && (
            <Progress value={event.percentComplete ?? 0} label={`Progress of the export ${label}`} />
          )}
        </span>
        <span class="row-facts">
          {fileID === undefined ? <ExportState event={event} /> : <Download fileID={fileID} />}
        </span>
      </div>
      <span class="row-actions">
        <Button small kind="quiet" icon="close" label={`Dismiss ${label}`} onClick={close} />
      </span>
    </li>
  );
}

const ExportState = ({ event }: { readonly event: Event }) =>
  hasEnded(event) ? (
    <a href={`/events/${event.key}`}>
      <EventStateBadge event={event} />
    </a>
  ) : (
    <Badge tone="busy">Joining</Badge>
  );
