import { writeLeaf } from '@earshot/contract/audit-leaf';
import { hashLeaf, rootOfPeaks } from '@earshot/contract/audit-tree';
import type { CustodyStatement } from '@earshot/contract/custody';
import { custodyFormat, writeCustody } from '@earshot/contract/custody';
import type { NoteSigner } from '@earshot/contract/signed-note';
import { signNote } from '@earshot/contract/signed-note';
import { keysOf, makeEntry, origin, signHead } from './sealed-log.ts';

/** What an installation states of a clip with one entry in its log. */
export function makeStatement(signer: NoteSigner): CustodyStatement {
  const entry = makeEntry(0);
  const root = rootOfPeaks([hashLeaf(writeLeaf(entry))]);
  return {
    format: custodyFormat,
    version: 1,
    issuedDate: '2026-11-02T00:00:00.000Z',
    issuedTo: 1,
    clip: { audioClipID: 1, deviceID: 1, announcedDate: '2026-11-01T00:00:00.000Z', startTime: 1, startTimeMs: 0 },
    sound: {},
    formerSound: [],
    head: signHead(signer, { size: 1, root }),
    keys: [...keysOf(signer)],
    proofs: [{ leafIndex: 0, entry, path: [] }],
    unsealed: [],
    unknown: ['What happened before the sound arrived.'],
  };
}

export function signCustody(custody: CustodyStatement, signer: NoteSigner) {
  const text = writeCustody(custody);
  return { custody, signature: signNote(text, origin, [signer]).slice(text.length + 1) };
}
