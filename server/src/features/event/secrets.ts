import type { Event } from '@earshot/contract/event';
import { builtInEventTypes } from '@earshot/contract/event-type';
import type { Db } from '../../platform/database/connect.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';

/*
 * URLs may have secrets in their query parts. An event shows its URLs without them. The complete URLs are stored
 * encrypted beside the event, for the agent that takes it, the platform's own jobs and its postback.
 */

export interface EventSecrets {
  /** The complete `eventParameters`, for the holder of the event. */
  readonly eventParameters?: string;
  readonly postbackURL?: string;
}

/** The part of a URL that every reader may see. */
export function withoutQuery(url: string): string {
  const shown = new URL(url);
  shown.search = '';
  shown.hash = '';
  return shown.href;
}

// Bound to the event: secrets that are copied to another event cannot be decrypted.
const purposeOf = (eventID: number) => `event secrets ${eventID}`;

/** Called in the transaction that enqueues the event. */
export async function sealSecrets(tx: Db, box: SecretBox, eventID: number, secrets: EventSecrets): Promise<void> {
  const sealed = box.seal(JSON.stringify(secrets), purposeOf(eventID));
  await tx`insert into event_secrets (event_id, sealed) values (${eventID}, ${sealed})`;
}

export const openSecrets = (box: SecretBox, eventID: number, sealed: Uint8Array): EventSecrets =>
  JSON.parse(box.open(sealed, purposeOf(eventID))) as EventSecrets;

/** The only type whose parameters contain URLs; takes of other types do not read them. */
const joiningType = builtInEventTypes.findIndex(({ name }) => name === 'Concatenate_audio_clips') + 1;

/** The event as its holder sees it. */
export async function reveal(db: Db, box: SecretBox, event: Event): Promise<Event> {
  if (event.eventTypeID !== joiningType) return event;
  const eventID = event.key ?? 0;
  const [row] = await db<{ sealed: Buffer }[]>`select sealed from event_secrets where event_id = ${eventID}`;
  const { eventParameters } = row ? openSecrets(box, eventID, row.sealed) : {};
  return eventParameters === undefined ? event : { ...event, eventParameters };
}
