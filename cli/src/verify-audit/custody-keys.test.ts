import { writeKeyChange } from '@earshot/contract/audit-head';
import { createGrowingTree } from '@earshot/contract/audit-tree';
import type { CustodyStatement } from '@earshot/contract/custody';
import type { NoteSigner } from '@earshot/contract/signed-note';
import { createNoteSigner, signNote } from '@earshot/contract/signed-note';
import { verifyCustody } from '@earshot/contract/verify-custody';
import { expect, test } from 'vitest';
import { makeStatement, signCustody } from '../testing/custody-file.ts';
import { keysOf, makeLog, origin, signHead } from '../testing/sealed-log.ts';

const { lines, signer: former } = makeLog(100, 20);
const next = createNoteSigner();
const replacedAt = 60;

const rootAt = (size: number): Buffer => {
  const tree = createGrowingTree();
  for (const { hash } of lines.slice(0, size)) tree.append(Buffer.from(hash, 'hex'));
  return tree.root();
};

/** A file whose log has this size, after the key was replaced. */
function makeFile(size: number, ofHead: NoteSigner, ofFile: NoteSigner): string {
  const publicKey = next.publicKey.toString('base64');
  const change = writeKeyChange({ origin, size: replacedAt, publicKey, signedDate: '2026-11-01T01:00:00.000Z' });
  const note = signNote(change, origin, [former, next]);
  const custody: CustodyStatement = {
    ...makeStatement(ofHead),
    head: signHead(ofHead, { size, root: rootAt(size) }),
    keys: [...keysOf(former), { publicKey, fingerprint: next.fingerprint, startSize: replacedAt, note }],
    proofs: [],
  };
  return JSON.stringify(signCustody(custody, ofFile));
}

const late = 'The file is signed by a key that was not in use for a log of its size.';

test('a former key signs no custody file of a larger log than the one in which it was replaced', () => {
  for (const { fingerprint } of [former, next]) {
    const check = (...given: Parameters<typeof makeFile>) => verifyCustody(makeFile(...given), { fingerprint });
    expect(check(100, next, next)).toMatchObject({ verdict: 'signed', faults: [] });
    expect(check(40, former, former)).toMatchObject({ verdict: 'signed', faults: [] });
    // The key was replaced between the last head and the signature.
    expect(check(replacedAt, former, next)).toMatchObject({ verdict: 'signed', faults: [] });
    expect(check(100, next, former).faults).toEqual([late]);
    expect(check(100, former, former).faults).toEqual([
      late,
      'Its head of the log is signed by a key that was not in use for a log of its size.',
    ]);
  }
});
