import { readAuditHead, writeHead } from '@earshot/contract/audit-head';
import { writeLeaf } from '@earshot/contract/audit-leaf';
import type { AuditLogHeader, AuditLogLine } from '@earshot/contract/audit-log';
import { createGrowingTree, hashLeaf } from '@earshot/contract/audit-tree';
import { createNoteSigner, openNote, signNote } from '@earshot/contract/signed-note';

/* Ways to tamper with an export of the sealed audit log: its lines, of which the first is the header. */

type Lines = readonly string[];

const readLine = (text = ''): AuditLogLine => JSON.parse(text) as AuditLogLine;
const lineOf = (lines: Lines, leaf: number): string => lines[leaf + 1] ?? '';

/** The line with an entry of another person. */
function changed(lines: Lines, leaf: number): AuditLogLine {
  const { entry, ...line } = readLine(lineOf(lines, leaf));
  if (!entry) throw new Error(`leaf ${leaf} has no entry`);
  return { ...line, entry: { ...entry, userID: (entry.userID ?? 0) + 1 } };
}

const rehashed = ({ leafIndex, entry, hash }: AuditLogLine): AuditLogLine => ({
  leafIndex,
  hash: entry ? hashLeaf(writeLeaf(entry)).toString('hex') : hash,
  ...(entry ? { entry } : {}),
});

const put = (lines: Lines, leaf: number, line: AuditLogLine): Lines => lines.with(leaf + 1, JSON.stringify(line));

const renumbered = ([header = '', ...lines]: Lines): Lines => [
  header,
  ...lines.map((line, leafIndex) => JSON.stringify({ ...readLine(line), leafIndex })),
];

/** Makes the tree of these lines and signs it with a key that is not the installation's. */
function signedAgain([first = '', ...lines]: Lines): Lines {
  const header = JSON.parse(first) as AuditLogHeader;
  const head = readAuditHead(openNote(header.head)?.text ?? '');
  if (!head) throw new Error('the export has no head');
  const tree = createGrowingTree();
  for (const line of lines) tree.append(Buffer.from(readLine(line).hash, 'hex'));
  const signer = createNoteSigner();
  const publicKey = signer.publicKey.toString('base64');
  const text = writeHead({ ...head, size: lines.length, root: tree.root().toString('base64'), publicKey });
  const keys = [{ publicKey, fingerprint: signer.fingerprint, startSize: 0 }];
  return [JSON.stringify({ ...header, head: signNote(text, head.origin, [signer]), keys }), ...lines];
}

const swapped = (lines: Lines, leaf: number): Lines =>
  lines.with(leaf + 1, lineOf(lines, leaf + 1)).with(leaf + 2, lineOf(lines, leaf));

/** Each at a leaf that is not the last. */
export const tamperings: Readonly<Record<string, (lines: Lines, leaf: number) => Lines>> = {
  'an entry changed': (lines, leaf) => put(lines, leaf, changed(lines, leaf)),
  'an entry and its hash changed': (lines, leaf) => put(lines, leaf, rehashed(changed(lines, leaf))),
  'a line dropped': (lines, leaf) => lines.toSpliced(leaf + 1, 1),
  'a line dropped and the rest renumbered': (lines, leaf) => renumbered(lines.toSpliced(leaf + 1, 1)),
  'two lines swapped': swapped,
  'two lines swapped and renumbered': (lines, leaf) => renumbered(swapped(lines, leaf)),
  'the end cut': (lines, leaf) => lines.slice(0, leaf + 1),
  'the end cut and signed with another key': (lines, leaf) => signedAgain(lines.slice(0, leaf + 1)),
  'an entry changed and all signed with another key': (lines, leaf) =>
    signedAgain(put(lines, leaf, rehashed(changed(lines, leaf)))),
};
