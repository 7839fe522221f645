import type { Client } from '@earshot/client/client';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { Acknowledged } from '../process/writing-fleet.ts';
import type { Accounts, Ledger } from './ledger.ts';
import { patchText } from './writers.ts';

/** What is stored of one kind of write: how often, by the names that the writers gave. */
type Stored = ReadonlyMap<string, number>;

/** Acknowledged and missing, twice there, or there and never written. */
function compare(kind: string, { acknowledged, unanswered }: Ledger, stored: Stored): string[] {
  return [
    ...[...acknowledged.keys()].filter((name) => !stored.has(name)).map((name) => `${kind} ${name} is lost`),
    ...[...stored].filter(([, count]) => count > 1).map(([name, count]) => `${kind} ${name} is there ${count} times`),
    ...[...stored.keys()]
      .filter((name) => !acknowledged.has(name) && !unanswered.has(name))
      .map((name) => `${kind} ${name} was never written`),
  ];
}

const countNames = (rows: readonly { name: string }[]): Stored => {
  const counts = new Map<string, number>();
  for (const { name } of rows) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

/** Compares the ledgers of the writers with the database; empty if both agree. */
export async function compareLedgers(
  db: Pool,
  { ledgers }: Accounts,
  collectionID: number,
  devices: readonly Acknowledged[],
): Promise<string[]> {
  const events = await db<{ name: string }[]>`select tag_string as name from events where tag_string like 'event-%'`;
  const corrections = await db<{ name: string }[]>`select transcript as name from caption_versions`;
  const items = await db<{ name: string }[]>`
    select device_id::text as name from collection_items where collection_id = ${collectionID}`;
  const agents = await db<{ key: number; described: string | null; said: string | null }[]>`
    select key, agent_description as described, recent_output as said from agents where agent_index > 0`;
  const byKey = new Map(agents.map((agent) => [agent.key, agent]));
  const patchFaults = [...ledgers.patch.acknowledged].flatMap(([name, key]) => {
    const { described, said } = byKey.get(key) ?? {};
    return described === patchText(name) && said === patchText(name) ? [] : [`${name} is lost: ${described}, ${said}`];
  });
  const rows = await db<{ serial: string; description: string | null }[]>`
    select device_serial as serial, device_description as description from devices
    where device_serial like 'recorder-%' order by key`;
  const stored = new Map(rows.map(({ serial, description }) => [serial, description]));
  return [
    ...compare('the event', ledgers.event, countNames(events)),
    ...compare('the correction', ledgers.correction, countNames(corrections)),
    ...compare('the item', ledgers.item, countNames(items)),
    ...patchFaults,
    ...(stored.size === rows.length ? [] : ['a device is there twice']),
    ...devices
      .filter(({ device, deviceDescription }) => stored.get(device.deviceSerial ?? '') !== deviceDescription)
      .map(({ device }) => `the description of ${device.deviceSerial} is lost`),
  ];
}

/** The events of these names, whose senders had no answer. */
export async function findUnanswered(db: Pool, { ledgers }: Accounts): Promise<Set<number>> {
  const names = [...ledgers.event.unanswered];
  const rows = await db<{ key: number }[]>`select key from events where tag_string = any(${names}::text[])`;
  return new Set(rows.map(({ key }) => key));
}

/** Each join that was acknowledged has ended well with a file that can be read, and no file was made twice. */
export async function compareJoins(db: Pool, client: Client, { ledgers }: Accounts): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, eventID] of ledgers.join.acknowledged) {
    const { eventStatus, result = '' } = await client.getEvent({ params: { eventID } });
    const { fileID = 0 } = eventStatus === 4 ? (JSON.parse(result) as { fileID?: number }) : {};
    if (fileID === 0) faults.push(`${name} ended in the state ${eventStatus}: ${result}`);
    else await (await client.getFileContent({ params: { fileID } })).arrayBuffer();
  }
  const [counts] = await db<{ files: number; events: number }[]>`
    select (select count(*)::int from files where filename like 'joined-%') as files,
      (select count(*)::int from events e join event_types t on t.key = e.event_type_id
        where t.event_type_name = 'Concatenate_audio_clips' and e.event_status = 4) as events`;
  if (counts?.files !== counts?.events) faults.push(`${counts?.events} joins made ${counts?.files} files`);
  return faults;
}

/** Events that no agent and no worker will end any more. */
export const listOpenEvents = (db: Pool) => db<{ key: number; type: string; status: number }[]>`
  select e.key, t.event_type_name as type, e.event_status as status
  from events e join event_types t on t.key = e.event_type_id where e.event_status < 4 order by e.key`;
