import type {
  CreateLogMessage,
  LogMessage,
  LogMessageFilter,
  LogMessageWithNames,
} from '@earshot/contract/log-message';
import { notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { readDateRange } from '../../platform/date-range.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import { requireDevice } from '../../access.ts';
import { findAgentTypeByName } from '../agent/public.ts';
import { requireReportingDevice } from '../device/public.ts';
import { findLine, insertLine, removeOldLines, selectLines } from './queries.ts';
import { guessLevel, readLogDate } from './read-line.ts';

/** An agent type that does not exist is left out, so that no line is lost. */
export async function addLine(db: Db, caller: Caller, given: CreateLogMessage): Promise<LogMessage> {
  const { agentType, agentIndex = 0, agentVersion: version, processID, message } = given;
  const deviceID = await requireReportingDevice(db, caller, given);
  const line = await insertLine(db, {
    deviceID,
    agentTypeID: agentType ? await findAgentTypeByName(db, agentType) : undefined,
    agentIndex,
    processID,
    version,
    level: guessLevel(message),
    message,
    date: readLogDate(given.logDate),
  });
  if (!line) throw notFound('device', deviceID);
  return line;
}

export async function readLine(db: Db, caller: Caller, logMessageID: number): Promise<LogMessage> {
  const line = await findLine(db, caller, logMessageID);
  if (!line) throw notFound('log line', logMessageID);
  return line;
}

export async function findLines(db: Db, caller: Caller, given: LogMessageFilter): Promise<LogMessageWithNames[]> {
  const { deviceID, count, level, searchText } = given;
  const ascending = given.order?.toLowerCase() === 'asc';
  const filter = { deviceID, count, level, searchText, ascending, ...readDateRange(given) };
  const lines = await selectLines(db, caller, filter);
  if (lines.length === 0 && deviceID) await requireDevice(db, caller, 'read', deviceID);
  return lines;
}

const mostAtOnce = 500;

/** Removes old lines, on every node. Returns a function that stops it. */
export const startLogRetention = (db: Pool, log: Log, everyMs: number, days: number): (() => Promise<void>) =>
  startLoop('log retention', everyMs, () => sweepLines(db, days), log);

export async function sweepLines(db: Db, days: number): Promise<void> {
  while ((await removeOldLines(db, days, mostAtOnce)) === mostAtOnce);
}
