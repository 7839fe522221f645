import { expect, test } from 'vitest';
import type { AuditHead } from './audit-head.ts';
import { readAuditHead, writeHead } from './audit-head.ts';
import { createNoteSigner, isSignedBy, noteKeyOf, noteSignerOf, openNote, signNote } from './signed-note.ts';

test('the example of the specification of signed notes is read and its signature holds', () => {
  // https://c2sp.org/signed-note, with the key "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW".
  const key = noteKeyOf(Buffer.from('ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW', 'base64').subarray(1));
  const text =
    'If you think cryptography is the answer to your problem,\nthen you don’t know what your problem is.\n'.replace(
      '’',
      "'",
    );
  const note = `${text}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;
  const opened = openNote(note);
  expect(opened && isSignedBy(opened, 'PeterNeumann', key)).toBe(true);
  expect(opened && isSignedBy({ ...opened, text: `${text}.` }, 'PeterNeumann', key)).toBe(false);
});

test('a note is signed by its signers and by nobody else', () => {
  const [one, two, other] = [createNoteSigner(), createNoteSigner(), createNoteSigner()];
  const opened = openNote(signNote('a\n\nb\n', 'log', [one, noteSignerOf(two.seed)]));
  if (!opened) throw new Error('not a note');
  expect(opened.text).toBe('a\n\nb\n');
  expect([one, two, other].map((key) => isSignedBy(opened, 'log', key))).toEqual([true, true, false]);
  expect(isSignedBy(opened, 'another', one)).toBe(false);
  expect(['', 'a\n', 'a\n\nb', 'a\n\n- log AAAA\n'].map(openNote)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('a head is read as it was written, and nothing else is a head', () => {
  const root = Buffer.alloc(32, 5).toString('base64');
  const head: AuditHead = {
    origin: 'earshot-audit/6f0e-1',
    size: 12,
    root,
    signedDate: '2026-11-18T16:20:00.000Z',
    publicKey: root,
    pruned: { keptSince: '2025-11-01', count: 4 },
    epochs: [
      { number: 1, id: 'a1', startSize: 0, startRoot: undefined },
      { number: 2, id: 'b2', startSize: 9, startRoot: root },
    ],
  };
  expect(readAuditHead(writeHead(head))).toEqual(head);
  expect(readAuditHead(writeHead({ ...head, pruned: undefined }))).toEqual({ ...head, pruned: undefined });
  expect(readAuditHead(writeHead({ ...head, epochs: [] }))).toBeUndefined();
  expect(readAuditHead(`${writeHead(head)}more\n`)).toBeUndefined();
});
