import type { AuditEpoch } from '@earshot/contract/audit-head';
import { writeKeyChange } from '@earshot/contract/audit-head';
import { createGrowingTree } from '@earshot/contract/audit-tree';
import { createNoteSigner, signNote } from '@earshot/contract/signed-note';
import { expect, test } from 'vitest';
import { keysOf, makeLog, origin, signHead, textOf } from '../testing/sealed-log.ts';
import { verifyLog } from './verify-log.ts';

const { header, lines, kept, signer } = makeLog(100, 20);
const { fingerprint } = signer;
const first: AuditEpoch = { number: 1, id: 'a0', startSize: 0, startRoot: undefined };
const rootAt = (size: number): Buffer => {
  const tree = createGrowingTree();
  for (const { hash } of lines.slice(0, size)) tree.append(Buffer.from(hash, 'hex'));
  return tree.root();
};
const second: AuditEpoch = { number: 2, id: 'b0', startSize: 60, startRoot: rootAt(60).toString('base64') };

const exportOf = (size: number, epochs = [first], signedAtSize = size) =>
  textOf(
    { ...header, head: signHead(signer, { size, root: rootAt(size), epochs, signedAtSize }) },
    lines.slice(0, size),
  );

test('a head that reaches beyond an older export leaves the check incomplete', async () => {
  const report = await verifyLog(exportOf(70), { fingerprint, heads: kept });
  expect(report).toMatchObject({ verdict: 'incomplete', verifiedSize: 60, headsCompared: 3, faults: [] });
  expect(report.gaps).toMatchObject([{ from: 70, to: 99, text: expect.stringContaining('100.txt has 100 leaves') }]);
  const without = await verifyLog(exportOf(70), { heads: kept });
  expect(without.verdict).toBe('incomplete');
});

test('an export that is younger than a larger head, but smaller, is faulty', async () => {
  const report = await verifyLog(exportOf(70, [first], 120), { fingerprint, heads: kept });
  expect(report).toMatchObject({ verdict: 'faulty', faults: [{ from: 70, to: 99 }], gaps: [] });
});

test('a head of entries that a restored backup does not have leaves the check incomplete', async () => {
  const report = await verifyLog(exportOf(100, [first, second]), { fingerprint, heads: kept });
  expect(report).toMatchObject({ verdict: 'incomplete', verifiedSize: 60, headsCompared: 3, faults: [] });
  expect(report.gaps).toMatchObject([{ text: expect.stringMatching(/^At least 40 entries are not in the log/) }]);
});

test('a head of an epoch that began after the export leaves the check incomplete', async () => {
  const later = { name: 'later.txt', note: signHead(signer, { size: 90, root: rootAt(90), epochs: [first, second] }) };
  const report = await verifyLog(exportOf(70), { fingerprint, heads: [...kept.slice(0, 3), later] });
  expect(report).toMatchObject({ verdict: 'incomplete', headsCompared: 3, faults: [] });
  expect(report.gaps).toMatchObject([{ text: expect.stringContaining('is of epoch 2, which began after') }]);
});

test('the key of a lost end was in use, although it was replaced at a smaller size after the restore', async () => {
  const next = createNoteSigner();
  const publicKey = next.publicKey.toString('base64');
  const change = writeKeyChange({ origin, size: 70, publicKey, signedDate: '2026-11-03T00:00:00.000Z' });
  const note = signNote(change, origin, [signer, next]);
  const keys = [...keysOf(signer), { publicKey, fingerprint: next.fingerprint, startSize: 70, note }];
  const head = signHead(next, { size: 100, root: rootAt(100), epochs: [first, second] });
  const report = await verifyLog(textOf({ ...header, keys, head }, lines), { fingerprint, heads: kept });
  expect(report).toMatchObject({ verdict: 'incomplete', headsCompared: 3, faults: [] });
});

test('the head of an empty log proves nothing', async () => {
  const empty = { name: 'empty.txt', note: signHead(signer, { size: 0, root: rootAt(0) }) };
  const report = await verifyLog(exportOf(100), { fingerprint, heads: [empty] });
  expect(report).toMatchObject({ verdict: 'consistent', headsCompared: 0, faults: [], gaps: [] });
  expect(report.notes).toEqual(['the head empty.txt is of an empty log: it proves nothing.']);
});
