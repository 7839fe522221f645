import { writeKeyChange } from '@earshot/contract/audit-head';
import type { AuditLogHeader, AuditLogLine } from '@earshot/contract/audit-log';
import { createGrowingTree } from '@earshot/contract/audit-tree';
import { createNoteSigner, signNote } from '@earshot/contract/signed-note';
import { expect, test } from 'vitest';
import { hashOf, keysOf, makeLog, origin, signHead, textOf } from '../testing/sealed-log.ts';
import { verifyLog } from './verify-log.ts';

const { header, lines, kept, signer } = makeLog(100, 20);
const rootAt = (size: number): Buffer => {
  const tree = createGrowingTree();
  for (const { hash } of lines.slice(0, size)) tree.append(Buffer.from(hash, 'hex'));
  return tree.root();
};

test('after a change of the key, the fingerprint of either key verifies the whole log', async () => {
  const next = createNoteSigner();
  const publicKey = next.publicKey.toString('base64');
  const change = writeKeyChange({ origin, size: 60, publicKey, signedDate: '2026-11-01T01:00:00.000Z' });
  const keysWith = (note: string) => [
    ...keysOf(signer),
    { publicKey, fingerprint: next.fingerprint, startSize: 60, note },
  ];
  const rotated: AuditLogHeader = {
    ...header,
    keys: keysWith(signNote(change, origin, [signer, next])),
    head: signHead(next, { size: 100, root: rootAt(100) }),
  };
  const late = { name: '80.txt', note: signHead(next, { size: 80, root: rootAt(80) }) };
  const heads = [...kept.slice(0, 3), late];
  for (const { fingerprint } of [signer, next]) {
    const report = await verifyLog(textOf(rotated, lines), { fingerprint, heads });
    expect(report).toMatchObject({ verdict: 'verified', headsCompared: 4, faults: [] });
  }
  // The former key signs no larger log, and a key that it did not sign is not trusted.
  const { fingerprint } = signer;
  const byFormer = await verifyLog(textOf(rotated, lines), { fingerprint, heads: kept });
  expect(byFormer.faults[0]?.text).toMatch(/80\.txt is signed by a key that was not in use/);
  const alone = { ...rotated, keys: keysWith(signNote(change, origin, [next])) };
  const untrusted = await verifyLog(textOf(alone, lines), { fingerprint, heads: kept.slice(0, 3) });
  expect(untrusted.faults.map(({ text }) => text)).toEqual([
    'Key 2 is not introduced by the key before it.',
    'The head of the export is not signed by a trusted key.',
  ]);
});

/** The lines, of which these are pruned. */
const prune = (all: readonly AuditLogLine[], isPruned: (index: number) => boolean): AuditLogLine[] =>
  all.map((line) => (isPruned(line.leafIndex) ? { leafIndex: line.leafIndex, hash: line.hash } : line));

test('an entry that was pruned between younger ones leaves the check incomplete, as after a wrong clock', async () => {
  const { fingerprint } = signer;
  const pruned = { keptSince: '2026-11-01', count: 31 };
  const signed = { ...header, head: signHead(signer, { size: 100, root: rootAt(100), pruned }) };
  const verify = (isPruned: (index: number) => boolean) =>
    verifyLog(textOf(signed, prune(lines, isPruned)), { fingerprint, heads: kept });
  const one = await verify((index) => index < 30 || index === 70);
  expect(one).toMatchObject({ verdict: 'incomplete', prunedCount: 31, faults: [], gaps: [{ from: 70, to: 70 }] });
  // More than the head counts are a fault.
  const two = await verify((index) => index < 30 || index === 70 || index === 80);
  expect(two).toMatchObject({ verdict: 'faulty', faults: [{ from: 70 }, { from: 80 }] });
});

test('a pruned entry that is shown again in exchange for a younger one is a fault', async () => {
  const { fingerprint } = signer;
  const dated = lines.map((line) => {
    if (line.leafIndex >= 30 || !line.entry) return line;
    const entry = { ...line.entry, auditDate: '2026-10-30T00:00:00.000000Z' };
    return { ...line, entry, hash: hashOf(entry) };
  });
  const tree = createGrowingTree();
  for (const { hash } of dated) tree.append(Buffer.from(hash, 'hex'));
  const pruned = { keptSince: '2026-11-01', count: 30 };
  const note = signHead(signer, { size: 100, root: tree.root(), pruned });
  const verify = (isPruned: (index: number) => boolean) =>
    verifyLog(textOf({ ...header, head: note }, prune(dated, isPruned)), {
      fingerprint,
      heads: [{ name: 'a.txt', note }],
    });
  expect(await verify((index) => index < 30)).toMatchObject({ verdict: 'verified', prunedCount: 30 });
  const exchanged = await verify((index) => (index > 0 && index < 30) || index === 90);
  expect(exchanged).toMatchObject({ verdict: 'faulty', faults: [{ from: 90, to: 90 }] });
});

test('a pruned log is verified; one entry more than was pruned is found', async () => {
  const pruned = { keptSince: '2026-11-02', count: 30 };
  const signed = { ...header, head: signHead(signer, { size: 100, root: rootAt(100), pruned }) };
  const without = (count: number) =>
    lines.map((line) => (line.leafIndex < count ? { leafIndex: line.leafIndex, hash: line.hash } : line));
  const { fingerprint } = signer;
  const report = await verifyLog(textOf(signed, without(30)), { fingerprint, heads: kept });
  expect(report).toMatchObject({ verdict: 'verified', prunedCount: 30, faults: [] });
  const more = await verifyLog(textOf(signed, without(31)), { fingerprint, heads: kept });
  expect(more.faults).toMatchObject([
    { from: 30, to: 30, text: expect.stringMatching(/^Entries are withheld/) as string },
  ]);
});
