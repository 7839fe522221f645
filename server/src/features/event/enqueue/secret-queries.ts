import type { Db } from '../../../platform/database/connect.ts';
import type { StoredEvent } from '../../../platform/events/stored-event.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import type { EventSecrets } from './secrets.ts';
import { joiningType, purposeOf, openSecrets } from './secrets.ts';

/** Called in the transaction that enqueues the event. */
export async function sealSecrets(tx: Db, box: SecretBox, eventID: number, secrets: EventSecrets): Promise<void> {
  const sealed = box.seal(JSON.stringify(secrets), purposeOf(eventID));
  await tx`insert into event_secrets (event_id, sealed) values (${eventID}, ${sealed})`;
}

/** The event as its holder sees it. */
export async function withSecrets(db: Db, box: SecretBox, event: StoredEvent): Promise<StoredEvent> {
  if (event.eventTypeID !== joiningType) return event;
  const eventID = event.key;
  const [row] = await db<{ sealed: Buffer }[]>`select sealed from event_secrets where event_id = ${eventID}`;
  const { eventParameters } = row ? openSecrets(box, eventID, row.sealed) : {};
  return eventParameters === undefined ? event : { ...event, eventParameters };
}
