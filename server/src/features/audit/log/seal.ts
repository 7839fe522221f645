import { randomBytes } from 'node:crypto';
import { writeHead } from '@earshot/contract/audit-head';
import type { SealedEntry } from '@earshot/contract/audit-leaf';
import { leafVersion, sealedFields, writeLeaf } from '@earshot/contract/audit-leaf';
import type { GrowingTree } from '@earshot/contract/audit-tree';
import { createGrowingTree, hashLeaf } from '@earshot/contract/audit-tree';
import { signNote } from '@earshot/contract/signed-note';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import { openSigner } from './keys.ts';
import type { EntryToSeal, LogRow, NewLeaf, Subtree } from './queries.ts';
import {
  beginEpoch,
  findFromBefore,
  findSettled,
  hasUnsealed,
  insertLeaves,
  insertSubtrees,
  isMoved,
  listEpochs,
  lockLog,
  updateLog,
} from './queries.ts';

/*
 * Gives committed entries their leaves in the log:
 *
 *   written ──transaction ends──► settled ──sealed in a batch──► leaf of the tree, under a signed head
 *
 * The row of `audit_log` is locked meanwhile, so one node of the cluster seals at a time, and writers of entries never
 * wait for it.
 */

export interface SealParts {
  readonly db: Pool;
  readonly secretBox: SecretBox;
}

const entriesPerBatch = 2_000;
/** Every so many levels of the tree the roots of whole subtrees are stored (proof.ts). */
export const levelsPerStep = 8;
const hashBytes = 32;
const saltBytes = 16;

/** Seals what is settled; with `waits` also if another node is sealing. */
export async function sealEntries({ db, secretBox }: SealParts, { waits = false } = {}): Promise<void> {
  if (!(await hasUnsealed(db))) return;
  let isMore = true;
  while (isMore) isMore = await inTransaction(db, (tx) => sealBatch(tx, secretBox, waits));
}

/** Returns whether there may be more. */
async function sealBatch(tx: Db, secretBox: SecretBox, waits: boolean): Promise<boolean> {
  const log = await lockLog(tx, waits);
  if (!log) return false;
  if (await isMoved(tx, log)) {
    await beginEpoch(tx);
    return true;
  }
  const found = await (log.hasSealedBefore ? findSettled : findFromBefore)(tx, log, entriesPerBatch);
  const isFull = found.length === entriesPerBatch;
  if (found.length === 0 && log.hasSealedBefore && !log.headIsDue) return false;
  const { tree, subtrees } = openTree(log);
  const leaves = found.map((entry) => makeLeaf(entry, !log.hasSealedBefore));
  for (const { hash } of leaves) tree.append(hash);
  await insertLeaves(tx, log.size, leaves);
  await insertSubtrees(tx, subtrees);
  await storeHead(tx, secretBox, log, tree, placeAfter(log, found, isFull));
  return isFull || !log.hasSealedBefore;
}

function openTree({ size, peaks }: LogRow): { tree: GrowingTree; subtrees: readonly Subtree[] } {
  const subtrees: Subtree[] = [];
  const list = Array.from({ length: peaks.length / hashBytes }, (_, at) =>
    peaks.subarray(at * hashBytes, (at + 1) * hashBytes),
  );
  const onWhole = (level: number, position: number, hash: Uint8Array): void => {
    if (level % levelsPerStep === 0) subtrees.push({ level, position, hash });
  };
  return { tree: createGrowingTree({ size, peaks: list, onWhole }), subtrees };
}

function makeLeaf(row: EntryToSeal, isFromBefore: boolean): NewLeaf {
  const entry = sealedEntryOf(row, randomBytes(saltBytes).toString('hex'), isFromBefore);
  return { entry, hash: hashLeaf(writeLeaf(entry)) };
}

/** The fields of a row that are sealed; a null column is an unset field. */
export function sealedEntryOf(row: object, salt: string, isFromBefore: boolean): SealedEntry {
  const all = { ...row, version: leafVersion, salt, isFromBefore: isFromBefore || null } as Record<string, unknown>;
  const set = sealedFields.filter((name) => (all[name] ?? null) !== null);
  return Object.fromEntries(set.map((name) => [name, all[name]])) as SealedEntry;
}

type Place = Pick<LogRow, 'sealedIn' | 'sealedKey' | 'hasSealedBefore'>;

/** Entries of before come first, by their keys; when there are no more, the others follow from the start. */
function placeAfter(log: LogRow, found: readonly EntryToSeal[], isFull: boolean): Place {
  const last = found.at(-1);
  if (!log.hasSealedBefore && !isFull) return { sealedIn: '0', sealedKey: 0, hasSealedBefore: true };
  if (last === undefined) return log;
  return { sealedIn: last.writtenIn ?? '0', sealedKey: last.key, hasSealedBefore: log.hasSealedBefore };
}

async function storeHead(tx: Db, secretBox: SecretBox, log: LogRow, tree: GrowingTree, place: Place): Promise<void> {
  const { origin } = log;
  const { size } = tree;
  const headDate = new Date().toISOString();
  const root = tree.root().toString('base64');
  const pruned = log.keptSince === null ? undefined : { keptSince: log.keptSince, count: log.prunedCount };
  const signer = await openSigner(tx, secretBox);
  const publicKey = signer.publicKey.toString('base64');
  const epochs = await listEpochs(tx);
  const head = signNote(writeHead({ origin, size, root, signedDate: headDate, publicKey, pruned, epochs }), origin, [
    signer,
  ]);
  const { sealedIn, sealedKey, hasSealedBefore } = place;
  const peaks = Buffer.concat(tree.peaks);
  await updateLog(tx, { size, peaks, head, headDate, sealedIn, sealedKey, hasSealedBefore });
}
