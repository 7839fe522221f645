import type {
  BulkEvent,
  BulkFailureFilter,
  BulkFailurePage,
  BulkJob,
  StartDeviceBulk,
  TakeOutItems,
} from '@earshot/contract/bulk-job';
import { mostBulkJobs, mostBulkRecords } from '@earshot/contract/bulk-job';
import { requireCollection } from '../../access.ts';
import { conflict, invalidField, notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { findTablePage } from '../../platform/table.ts';
import { selectItemNames } from '../collection/public.ts';
import { nameDevices, selectDeviceNames } from '../device/public.ts';
import { parametersText, requireEventType } from '../event/public.ts';
import { failureTable } from './failure-queries.ts';
import type { NewJob } from './queries.ts';
import { cancelJob, countRunning, findJob, insertJob } from './queries.ts';

type Record = NewJob['records'][number];

export async function startDeviceJob(db: Pool, caller: Caller, given: StartDeviceBulk): Promise<BulkJob> {
  const { action, deviceIDs, filter } = given;
  const order = await settleOrder(db, caller, given);
  const records = await chooseRecords('deviceIDs', deviceIDs, filter, {
    named: (keys) => nameDevices(db, caller, keys),
    matching: (conditions, most) => selectDeviceNames(db, caller, conditions, most),
  });
  return addJob(db, caller, { action, ...order, records });
}

export async function startTakingOut(
  db: Pool,
  caller: Caller,
  collectionID: number,
  { collectionItemIDs, filter }: TakeOutItems,
): Promise<BulkJob> {
  await requireCollection(db, caller, 'read', collectionID);
  const records = await chooseRecords('collectionItemIDs', collectionItemIDs, filter, {
    named: (keys) => selectItemNames(db, caller, collectionID, { keys, most: keys.length }),
    matching: (conditions, most) => selectItemNames(db, caller, collectionID, { ...conditions, most }),
  });
  return addJob(db, caller, { action: 'takeOut', collectionID, records });
}

/** What the action needs, checked as far as it is the same for every device. */
async function settleOrder(
  db: Db,
  caller: Caller,
  { action, collectionID, event }: StartDeviceBulk,
): Promise<Pick<NewJob, 'collectionID' | 'event'>> {
  if (action !== 'collect' && collectionID) throw invalidField('collectionID', 'is for the action collect only');
  if (action !== 'sendEvent' && event) throw invalidField('event', 'is for the action sendEvent only');
  if (action === 'collect') {
    if (!collectionID) throw invalidField('collectionID', 'is required for the action collect');
    await requireCollection(db, caller, 'write', collectionID);
    return { collectionID };
  }
  if (action === 'sendEvent') {
    if (!event) throw invalidField('event', 'is required for the action sendEvent');
    return { event: await settleEvent(db, event) };
  }
  return {};
}

async function settleEvent(db: Db, given: BulkEvent): Promise<BulkEvent> {
  parametersText(given.eventParameters);
  const { eventTypeID } = await requireEventType(db, given);
  const { eventType: _name, agentType: _agent, agentTypeID: _agentID, ...content } = given;
  return { ...content, eventTypeID };
}

interface Choice<Conditions> {
  /** The names of those of the records that the caller may read. */
  readonly named: (keys: readonly number[]) => Promise<readonly Record[]>;
  readonly matching: (conditions: Conditions, most: number) => Promise<readonly Record[]>;
}

async function chooseRecords<Conditions>(
  field: string,
  keys: readonly number[] | undefined,
  filter: Conditions | undefined,
  { named, matching }: Choice<Conditions>,
): Promise<readonly Record[]> {
  if (keys && filter) throw invalidField(field, 'and filter must not both be given');
  if (filter) {
    const found = await matching(filter, mostBulkRecords + 1);
    if (found.length > mostBulkRecords)
      throw conflict(`More than ${mostBulkRecords.toLocaleString('en')} match. Choose a narrower filter.`);
    if (found.length === 0) throw conflict('Nothing matches the filter.');
    return found;
  }
  if (!keys || keys.length === 0) throw invalidField(field, 'or filter is required');
  const different = [...new Set(keys)];
  const names = new Map((await named(different)).map(({ key, name }) => [key, name]));
  return different.map((key) => ({ key, name: names.get(key) ?? null }));
}

async function addJob(db: Pool, caller: Caller, job: NewJob): Promise<BulkJob> {
  return inTransaction(db, async (tx) => {
    if ((await countRunning(tx, caller)) >= mostBulkJobs)
      throw conflict(`${mostBulkJobs} of your bulk jobs have not ended, the limit. Wait for one, or cancel one.`);
    return readJob(tx, caller, await insertJob(tx, caller, job));
  });
}

export async function readJob(db: Db, caller: Caller, bulkJobID: number): Promise<BulkJob> {
  const job = await findJob(db, caller, bulkJobID);
  if (!job) throw notFound('bulk job', bulkJobID);
  return job;
}

export async function endJob(db: Db, caller: Caller, bulkJobID: number): Promise<BulkJob> {
  await cancelJob(db, caller, bulkJobID);
  return readJob(db, caller, bulkJobID);
}

export async function readFailures(
  db: Pool,
  caller: Caller,
  bulkJobID: number,
  given: BulkFailureFilter,
): Promise<BulkFailurePage> {
  await readJob(db, caller, bulkJobID);
  return findTablePage(db, caller, failureTable, { ...given, bulkJobID });
}
