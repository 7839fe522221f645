import type { Pool } from '@earshot/server/platform/database/connect';
import type { RowCopier } from '../../bench/copy-rows.ts';
import { createRandom } from '../day.ts';
import { copyTable, takeKeys } from './copy-table.ts';
import { areaCount, areaOf } from './fleet.ts';

const dayMs = 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString();
const [pending, complete, failed, timedOut, cancelled] = [1, 4, 5, 6, 7];

export interface EventTypeKey {
  readonly eventTypeID: number;
  readonly eventType: string;
  readonly agentTypeID: number;
}

export interface WorkToFill {
  readonly db: Pool;
  readonly copier: RowCopier;
  readonly userID: number;
  readonly firstDevice: number;
  readonly deviceCount: number;
  readonly nowMs: number;
  readonly eventTypes: readonly EventTypeKey[];
}

interface CollectionParts extends WorkToFill {
  readonly count: number;
  readonly memberIDs: readonly number[];
  readonly fileIDs: readonly number[];
}

/** Two collections have 1,000 devices, the others fewer. Returns the key of the first. */
export async function fillCollections(parts: CollectionParts): Promise<number> {
  const { db, copier, userID, firstDevice, deviceCount, nowMs, count, memberIDs, fileIDs } = parts;
  const first = await takeKeys(db, 'collections', count);
  await copyTable(copier, {
    table: 'collections',
    columns: ['key', 'user_id', 'collection_name', 'collection_description', 'creation_date', 'created_by'],
    rows: Array.from({ length: count }, (_, at) => {
      const round = Math.floor(at / areaCount);
      const name = round === 0 ? areaOf(at) : `${areaOf(at)}, sector ${round}`;
      return [first + at, userID, name, `Recorders of the area ${areaOf(at)}`, iso(nowMs - 40 * dayMs), userID];
    }),
  });
  const sizeOf = (at: number) =>
    at < 2 ? Math.min(1_000, deviceCount) : Math.min(20 + ((at * 37) % 400), deviceCount);
  const added = [userID, true, iso(nowMs - 39 * dayMs), userID] as const;
  const columns = ['user_id', 'placed_by_admin', 'creation_date', 'created_by'];
  const each = <Row>(make: (at: number) => readonly Row[]) => Array.from({ length: count }, (_, at) => make(at)).flat();
  const range = (length: number) => Array.from({ length }, (_, at) => at);
  await copyTable(copier, {
    table: 'collection_items',
    columns: ['collection_id', 'device_id', ...columns],
    rows: each((at) =>
      range(sizeOf(at)).map((n) => [first + at, firstDevice + ((at * 331 + n) % deviceCount), ...added]),
    ),
  });
  await copyTable(copier, {
    table: 'collection_items',
    columns: ['collection_id', 'member_id', ...columns],
    rows: each((at) => memberIDs.filter((_, n) => (n + at) % 6 === 0).map((member) => [first + at, member, ...added])),
  });
  await copyTable(copier, {
    table: 'collection_items',
    columns: ['collection_id', 'file_id', ...columns],
    rows: each((at) => (at % 3 === 0 ? fileIDs.map((file) => [first + at, file, ...added]) : [])),
  });
  return first;
}

export async function fillPresets(parts: WorkToFill & { count: number; firstCollection: number; collections: number }) {
  const { copier, userID, firstDevice, deviceCount, nowMs, eventTypes, count, firstCollection, collections } = parts;
  await copyTable(copier, {
    table: 'event_presets',
    columns: [
      'user_id',
      'event_preset_name',
      'device_id',
      'device_group_id',
      'agent_type_id',
      'event_type_id',
      'max_attempts',
      'creation_date',
    ],
    rows: Array.from({ length: count }, (_, at) => {
      const { eventTypeID, eventType, agentTypeID } = eventTypes[at % eventTypes.length]!;
      const isGroup = at % 3 > 0;
      const target = isGroup
        ? [null, firstCollection + (at % collections)]
        : [firstDevice + ((at * 7) % deviceCount), null];
      const name = `${eventType.replaceAll('_', ' ')}, plan ${at + 1}`;
      return [userID, name, ...target, agentTypeID, eventTypeID, 3, iso(nowMs - at * 3_600_000)];
    }),
  });
}

const failures = [
  'The sound card does not answer. Check its cable.',
  'No space left on the disk.',
  'The clip is gone.',
];

/** Work of the last days: most of it done, some failed, some waiting. */
export async function fillEvents(parts: WorkToFill & { count: number }): Promise<void> {
  const { db, copier, userID, firstDevice, deviceCount, nowMs, eventTypes, count } = parts;
  const random = createRandom(5);
  const first = await takeKeys(db, 'events', count);
  const events = Array.from({ length: count }, (_, at) => {
    const atMs = nowMs - (1 - at / count) * 6 * dayMs;
    const status = statusOf(random());
    const type = eventTypes[Math.floor(random() * eventTypes.length)]!;
    const result = status === failed ? failures[Math.floor(random() * failures.length)]! : null;
    const deviceID = firstDevice + Math.floor(random() * deviceCount);
    return { key: first + at, atMs, status, type, result, deviceID };
  });
  await copyTable(copier, {
    table: 'events',
    columns: [
      'key',
      'device_id',
      'agent_type_id',
      'event_type_id',
      'event_status',
      'attempt_number',
      'percent_complete',
      'result',
      'ready_date',
      'creation_date',
      'created_by',
    ],
    rows: events.map(({ key, atMs, status, type, result, deviceID }) => [
      key,
      deviceID,
      type.agentTypeID,
      type.eventTypeID,
      status,
      status === pending ? 0 : 1,
      status === complete ? 100 : null,
      status === complete ? 'Done.' : result,
      iso(atMs),
      iso(atMs),
      userID,
    ]),
  });
  await copyTable(copier, {
    table: 'event_transitions',
    columns: ['event_id', 'transition_date', 'from_status', 'to_status', 'cause', 'attempt_number', 'result'],
    rows: events.flatMap(({ key, atMs, status, result }) => [
      [key, iso(atMs), null, pending, 'enqueued', 0, null],
      ...(status === pending ? [] : [[key, iso(atMs + 40_000), pending, status, 'reported', 1, result]]),
    ]),
  });
}

function statusOf(at: number): number {
  if (at < 0.9) return complete;
  if (at < 0.94) return failed;
  if (at < 0.96) return timedOut;
  return at < 0.98 ? cancelled : pending;
}
