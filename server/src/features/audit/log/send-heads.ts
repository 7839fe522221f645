import { readAuditHead } from '@earshot/contract/audit-head';
import { keptNameOf } from '@earshot/contract/kept-heads';
import { openNote } from '@earshot/contract/signed-note';
import type { Db } from '../../../platform/database/connect.ts';
import type { Log } from '../../../platform/log.ts';
import type { PutHead } from './heads-place.ts';
import { isLate } from './lateness.ts';
import { claimHead, noteSendFault, noteSent } from './send-queries.ts';
import { findState } from './state-queries.ts';

/*
 * Sends the newest head to the place that the operator chose. Only the newest is needed, because it covers all leaves
 * before it. A head that could not be sent is tried again after a while, then as the newest of that moment.
 */

export interface SendParts {
  readonly db: Db;
  readonly log: Log;
  readonly put: PutHead;
}

/** The place keeps every head, so they are not too many. */
export const sendEverySeconds = 300;

export async function sendHead({ db, log, put }: SendParts, everySeconds = sendEverySeconds): Promise<void> {
  const note = await claimHead(db, everySeconds);
  const head = readAuditHead(openNote(note ?? '')?.text ?? '');
  if (note === undefined || !head) return;
  try {
    await put(keptNameOf(head), note);
    await noteSent(db, note, head.size);
  } catch (error) {
    const reason = (error as Error).message;
    await noteSendFault(db, reason);
    const state = await findState(db);
    if (!isLate(state, true)) return;
    log.warn(
      { reason, unsentSince: state.unsentSince?.toISOString() },
      'heads of the audit log cannot be sent away; check EARSHOT_AUDIT_HEADS',
    );
  }
}
