import { readAuditHead } from '@earshot/contract/audit-head';
import type { AuditLogHeader, AuditLogLine, AuditLogState } from '@earshot/contract/audit-log';
import { auditLogFormat } from '@earshot/contract/audit-log';
import { openNote } from '@earshot/contract/signed-note';
import { Refusal } from '../../../errors.ts';
import type { Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import type { ReadLog } from '../read-log.ts';
import { recordAct } from '../record-queries.ts';
import type { HeadsPlace } from './heads-place.ts';
import { describeKeys, replaceSigner } from './keys.ts';
import { isLate } from './lateness.ts';
import { entryOfLeaf } from './proof.ts';
import type { LeafWithEntry } from './queries.ts';
import { findLeaves, findLog, lockLog, requireHead } from './queries.ts';
import { sealEntries } from './seal.ts';
import { findState } from './state-queries.ts';

export interface AuditLogParts {
  readonly db: Pool;
  readonly secretBox: SecretBox;
  readonly readLog: ReadLog;
  readonly config: { readonly auditHeads: HeadsPlace | undefined };
}

export async function describeLog({ db, config }: Pick<AuditLogParts, 'db' | 'config'>): Promise<AuditLogState> {
  const state = await findState(db);
  const { size, head, headDate, epoch, unsealedCount, unsealedSince, sentSize, sentDate, sendFault } = state;
  const keepsHeadsElsewhere = config.auditHeads !== undefined;
  return {
    size,
    ...(head === null ? {} : { head }),
    ...(headDate && { headDate: headDate.toISOString() }),
    epoch,
    keys: await describeKeys(db),
    unsealedCount,
    ...(unsealedSince && { unsealedSince: unsealedSince.toISOString() }),
    keepsHeadsElsewhere,
    ...(sentSize !== null && { sentSize }),
    ...(sentDate && { sentDate: sentDate.toISOString() }),
    ...(keepsHeadsElsewhere && sendFault !== null && { sendFault }),
    isLate: isLate(state, keepsHeadsElsewhere),
  };
}

const leavesPerPage = 2_000;

/** The text of the export, page by page. What was settled when it began is sealed first. */
export async function* exportLog(parts: AuditLogParts, caller: Caller): AsyncGenerator<string> {
  const { db, readLog } = parts;
  await readLog.flush();
  await recordAct(db, caller, 'audit-exported');
  await sealEntries(parts, { waits: true });
  const { head, size } = await findLog(db);
  const header: AuditLogHeader = { format: auditLogFormat, version: 1, head: head ?? '', keys: await describeKeys(db) };
  yield `${JSON.stringify(header)}\n`;
  for (let from = 0; from < size; from += leavesPerPage) {
    const leaves = await findLeaves(db, { from, end: Math.min(from + leavesPerPage, size) });
    yield leaves.map((leaf) => `${JSON.stringify(lineOf(leaf))}\n`).join('');
  }
  // The head does not count these, so they would look as if somebody had taken them out.
  if ((await findLog(db)).prunedCount !== countPruned(head)) {
    throw new Refusal('unavailable', 'Old entries were pruned during the export. Export again.');
  }
}

const countPruned = (head: string | null): number =>
  readAuditHead(openNote(head ?? '')?.text ?? '')?.pruned?.count ?? 0;

const lineOf = (leaf: LeafWithEntry): AuditLogLine => {
  const { leafIndex, hash, salt, key } = leaf;
  return salt === null || key === null ? { leafIndex, hash } : { leafIndex, hash, entry: entryOfLeaf(leaf) };
};

/** Seals first, so that the former key has signed all that was done while it was in use. */
export async function changeKey(parts: AuditLogParts, caller: Caller): Promise<AuditLogState> {
  const { db, secretBox } = parts;
  await sealEntries(parts, { waits: true });
  await inTransaction(db, async (tx) => {
    const log = await lockLog(tx, true);
    if (!log) throw new Error('the audit log has no row');
    await replaceSigner(tx, secretBox, log);
    await requireHead(tx);
    await recordAct(tx, caller, 'audit-key-changed');
  });
  await sealEntries(parts, { waits: true });
  return describeLog(parts);
}
