import type { Db } from '../../../platform/database/connect.ts';
import { requireValue } from '../../../platform/database/stored.ts';
import type { StoredEvent } from '../../../platform/events/stored-event.ts';
import type { NewEvent } from './new-events.ts';
import type { Sender } from './owner-only.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import { enqueueEvents } from './queries.ts';
import { sealSecrets } from './secret-queries.ts';
import { openSecrets } from './secrets.ts';

/**
 * Enqueues the given events again, in order: the same work, without the expiration. Secrets are bound to their event, so
 * they are encrypted again for the copies.
 */
export async function enqueueCopies(
  tx: Db,
  box: SecretBox,
  eventIDs: readonly number[],
  actor: Sender,
): Promise<readonly StoredEvent[]> {
  if (eventIDs.length === 0) return [];
  const originals = await tx<(NewEvent & { key: number; sealed: Buffer | null })[]>`
    select e.key, e.device_id as "deviceID", e.agent_type_id as "agentTypeID", e.event_type_id as "eventTypeID",
      e.server_event as "serverEvent", e.event_parameters as "eventParameters", e.priority, 0 as "expirationEpoch",
      e.max_attempts as "maxAttempts", e.tag_string as "tagString", e.tag_number as "tagNumber",
      e.postback_url as "postbackURL", s.sealed
    from events e left join event_secrets s on s.event_id = e.key
    where e.key = any(${eventIDs as number[]}::bigint[]) order by e.key`;
  const copies = await enqueueEvents(tx, originals, actor);
  for (const [place, { key, sealed }] of originals.entries()) {
    const copy = requireValue(copies[place], `the copy of events.key ${key}`);
    if (sealed) await sealSecrets(tx, box, copy.key, openSecrets(box, key, sealed));
  }
  return copies;
}
