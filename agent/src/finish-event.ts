import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import { eventStatus } from '@earshot/contract/event-status';
import type { Journal } from './journal.ts';
import type { PendingEvent, PendingReboot } from './pending-event.ts';
import type { AgentLog } from './log.ts';
import { reasonOf } from './loop.ts';
import { confirmVersion, outcomeOfUpdate, removeFormer } from './update/finish.ts';
import type { Installation } from './update/install.ts';

export interface FinishParts {
  readonly client: Client;
  readonly deviceSerial: string;
  readonly journal: Journal;
  readonly log: AgentLog;
  readonly installation: Installation | undefined;
  readonly bootID: string;
}

export interface EventOutcome {
  readonly isDone: boolean;
  readonly result: string;
}

/**
 * Reports the end of an event that a former process began. Call it before the agent registers, because registering
 * releases the events of the former process. Throws if the platform cannot be reached; call it again then.
 */
export async function finishEvent(parts: FinishParts, signal: AbortSignal): Promise<void> {
  const { client, deviceSerial, journal, log, installation, bootID } = parts;
  const trial = installation && (await confirmVersion(installation, client, deviceSerial, signal));
  const { pending } = journal;
  if (!pending) return;
  const outcome =
    pending.kind === 'update' ? outcomeOfUpdate(pending, installation?.hash, trial) : outcomeOfReboot(pending, bootID);
  await report(parts, pending, outcome, signal);
  await journal.endPending();
  if (pending.kind !== 'update' || !installation) return;
  await removeFormer(installation, pending.from).catch((error: unknown) => {
    log.write('warning', `Former versions of this agent could not be removed: ${reasonOf(error)}`);
  });
}

const outcomeOfReboot = (pending: PendingReboot, bootID: string): EventOutcome =>
  pending.bootID === bootID
    ? { isDone: false, result: 'The agent was restarted, but the device was not.' }
    : { isDone: true, result: 'The device has restarted.' };

/** The same report may be repeated. One that conflicts is not: the event was cancelled, or has expired. */
async function report(
  { client, log }: FinishParts,
  { eventID, takeID, processID }: PendingEvent,
  { isDone, result }: EventOutcome,
  signal: AbortSignal,
): Promise<void> {
  const end = isDone ? { eventStatus: eventStatus.complete, percentComplete: 100 } : { eventStatus: eventStatus.error };
  const request = { params: { eventID }, headers: { 'x-take-id': takeID }, body: { processID, result, ...end } };
  try {
    await client.reportEvent(request, { signal });
    log.write(isDone ? 'info' : 'error', result);
  } catch (error) {
    if (!(error instanceof ApiError && [404, 409].includes(error.status))) throw error;
    log.write('warning', `${result} The platform does not accept this report: ${error.message}`);
  }
}
