import { randomBytes } from 'node:crypto';
import type { AuditEpoch, PrunedEntries } from '@earshot/contract/audit-head';
import { writeHead } from '@earshot/contract/audit-head';
import type { SealedEntry } from '@earshot/contract/audit-leaf';
import { leafVersion, writeLeaf } from '@earshot/contract/audit-leaf';
import type { AuditLogHeader, AuditLogLine } from '@earshot/contract/audit-log';
import { auditLogFormat } from '@earshot/contract/audit-log';
import { createGrowingTree, hashLeaf } from '@earshot/contract/audit-tree';
import type { NoteSigner } from '@earshot/contract/signed-note';
import { createNoteSigner, signNote } from '@earshot/contract/signed-note';
import type { KeptNote } from '../verify-audit/verify-log.ts';

export const origin = 'earshot-audit/00000000-0000-4000-8000-000000000001';
const firstEpoch: AuditEpoch = { number: 1, id: 'a0', startSize: 0, startRoot: undefined };
const startMs = Date.parse('2026-11-01T00:00:00Z');

/** An export with the heads that were sent away meanwhile. */
export interface MadeLog {
  readonly header: AuditLogHeader;
  readonly lines: readonly AuditLogLine[];
  readonly kept: readonly KeptNote[];
  readonly signer: NoteSigner;
}

export interface SignedAt {
  readonly size: number;
  readonly root: Buffer;
  readonly epochs?: readonly AuditEpoch[];
  readonly pruned?: PrunedEntries;
  /** The date is that of the entry before this size; `size` unless given. */
  readonly signedAtSize?: number;
}

export const signHead = (
  signer: NoteSigner,
  { size, root, epochs = [firstEpoch], pruned, signedAtSize = size }: SignedAt,
): string =>
  signNote(
    writeHead({
      origin,
      size,
      root: root.toString('base64'),
      signedDate: new Date(startMs + signedAtSize * 60_000).toISOString(),
      publicKey: signer.publicKey.toString('base64'),
      pruned,
      epochs,
    }),
    origin,
    [signer],
  );

export const hashOf = (entry: SealedEntry): string => hashLeaf(writeLeaf(entry)).toString('hex');

export const makeEntry = (index: number): SealedEntry => ({
  version: leafVersion,
  salt: randomBytes(16).toString('hex'),
  key: index + 100,
  auditDate: new Date(startMs + index * 60_000).toISOString().replace('Z', '000Z'),
  action: index % 3 === 0 ? 'clip-removed' : 'sound-played',
  userID: 1 + (index % 7),
  deviceID: 1 + (index % 11),
  recordID: index * 3,
});

export const keysOf = (signer: NoteSigner): AuditLogHeader['keys'] => [
  { publicKey: signer.publicKey.toString('base64'), fingerprint: signer.fingerprint, startSize: 0 },
];

export function makeLog(count: number, headEvery: number, signer = createNoteSigner()): MadeLog {
  const tree = createGrowingTree();
  const kept: KeptNote[] = [];
  const lines = Array.from({ length: count }, (_, leafIndex) => {
    const entry = makeEntry(leafIndex);
    const hash = hashOf(entry);
    tree.append(Buffer.from(hash, 'hex'));
    if (tree.size % headEvery === 0) {
      kept.push({ name: `${tree.size}.txt`, note: signHead(signer, { size: tree.size, root: tree.root() }) });
    }
    return { leafIndex, hash, entry };
  });
  const head = signHead(signer, { size: count, root: tree.root() });
  return { header: { format: auditLogFormat, version: 1, head, keys: keysOf(signer) }, lines, kept, signer };
}

export async function* textOf(header: AuditLogHeader, lines: readonly AuditLogLine[]): AsyncGenerator<string> {
  yield JSON.stringify(header);
  for (const line of lines) yield JSON.stringify(line);
}
