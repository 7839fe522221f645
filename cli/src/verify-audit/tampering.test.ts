import type { AuditLogHeader, AuditLogLine } from '@earshot/contract/audit-log';
import { createGrowingTree } from '@earshot/contract/audit-tree';
import { createNoteSigner } from '@earshot/contract/signed-note';
import { expect, test } from 'vitest';
import { createRandom } from '../testing/random.ts';
import { hashOf, keysOf, makeLog, signHead, textOf } from '../testing/sealed-log.ts';
import type { LogReport } from './report.ts';
import { verifyLog } from './verify-log.ts';

const size = 400;
const headEvery = 20;
const made = makeLog(size, headEvery);
const { header, lines, kept, signer } = made;
const { fingerprint } = signer;

const verify = (head: AuditLogHeader, changed: readonly AuditLogLine[]): Promise<LogReport> =>
  verifyLog(textOf(head, changed), { fingerprint, heads: kept });

const renumber = (list: readonly AuditLogLine[]): AuditLogLine[] =>
  list.map((line, leafIndex) => ({ ...line, leafIndex }));

/** What somebody does who can make a new tree and sign it, but not with the key of the installation. */
function signAgain(list: readonly AuditLogLine[], by = createNoteSigner()): AuditLogHeader {
  const tree = createGrowingTree();
  for (const { hash } of list) tree.append(Buffer.from(hash, 'hex'));
  return { ...header, keys: keysOf(by), head: signHead(by, { size: list.length, root: tree.root() }) };
}

interface Tampered {
  readonly header?: AuditLogHeader;
  readonly lines: readonly AuditLogLine[];
}

function changeEntry(index: number): AuditLogLine {
  const { entry, ...line } = lines[index] as AuditLogLine;
  if (!entry) throw new Error('no entry');
  const changed = { ...entry, userID: (entry.userID ?? 0) + 1 };
  return { ...line, entry: changed };
}

const rehash = (line: AuditLogLine): AuditLogLine => ({ ...line, hash: line.entry ? hashOf(line.entry) : line.hash });
const swapped = (index: number, other: number): AuditLogLine[] =>
  lines.with(index, lines[other] as AuditLogLine).with(other, lines[index] as AuditLogLine);
/** A head from the folder of heads, as the head of a shorter log. */
const oldHeadFor = (count: number) => kept.findLast((_, at) => (at + 1) * headEvery <= count)?.note ?? '';

/** Each way, with a leaf and another number at random. */
const ways: Readonly<Record<string, (index: number, other: number) => Tampered>> = {
  'an entry was changed': (index) => ({ lines: lines.with(index, changeEntry(index)) }),
  'an entry and its hash were changed': (index) => ({ lines: lines.with(index, rehash(changeEntry(index))) }),
  'a field was added to an entry': (index) => {
    const line = lines[index] as AuditLogLine;
    return { lines: lines.with(index, { ...line, entry: { ...line.entry, note: 'x' } as never }) };
  },
  'an entry was left out as if pruned': (index) => {
    const { leafIndex, hash } = lines[index] as AuditLogLine;
    return { lines: lines.with(index, { leafIndex, hash }) };
  },
  'a line was dropped': (index) => ({ lines: lines.toSpliced(index, 1) }),
  'a line was dropped and the rest renumbered': (index) => ({ lines: renumber(lines.toSpliced(index, 1)) }),
  'two lines were swapped': (index, other) => ({ lines: swapped(index, other) }),
  'two lines were swapped and renumbered': (index, other) => ({ lines: renumber(swapped(index, other)) }),
  'the end was cut': (index) => ({ lines: lines.slice(0, index) }),
  'the end was cut, with an older head': (index) => {
    const count = Math.max(headEvery, index - (index % headEvery));
    return {
      header: { ...header, head: oldHeadFor(count) },
      lines: lines.slice(0, count === size ? size - headEvery : count),
    };
  },
  'the end was cut and signed with another key': (index) => {
    const left = lines.slice(0, index);
    return { header: signAgain(left), lines: left };
  },
  'an entry was changed and all signed with another key': (index) => {
    const changed = lines.with(index, rehash(changeEntry(index)));
    return { header: signAgain(changed), lines: changed };
  },
  'another key was signed with, and shown with the fingerprint of the real one': (index) => {
    const changed = lines.with(index, rehash(changeEntry(index)));
    const signed = signAgain(changed);
    return { header: { ...signed, keys: signed.keys.map((key) => ({ ...key, fingerprint })) }, lines: changed };
  },
};

const isPlaced = ({ faults, gaps }: LogReport, index: number): boolean =>
  [...faults, ...gaps].some(({ from, to }) => from !== undefined && to !== undefined && from <= index && index <= to);

test('the log that nobody touched is verified; without key or heads it is only consistent', async () => {
  expect(await verify(header, lines)).toMatchObject({ verdict: 'verified', size, verifiedSize: size, faults: [] });
  const alone = await verifyLog(textOf(header, lines), { heads: [] });
  expect(alone).toMatchObject({ verdict: 'consistent', headsCompared: 0, faults: [] });
  expect((await verifyLog(textOf(header, lines), { heads: kept })).verdict).toBe('consistent');
  expect((await verifyLog(textOf(header, lines), { fingerprint, heads: [] })).verdict).toBe('consistent');
});

test('each of 200 random tamperings is found and placed', async () => {
  const random = createRandom(29);
  const names = Object.keys(ways);
  const missed: string[] = [];
  for (let round = 0; round < 200; round += 1) {
    const name = names[round % names.length] ?? '';
    const index = 1 + random(size - 2);
    const other = (index + 1 + random(size - 2)) % size;
    const tampered = ways[name]?.(index, other) ?? { lines };
    const report = await verify(tampered.header ?? header, tampered.lines);
    // It cannot be told from an export that was made earlier.
    const isOlder = name === 'the end was cut, with an older head';
    const place = isOlder ? tampered.lines.length : index;
    const isFound =
      report.verdict === (isOlder ? 'incomplete' : 'faulty') &&
      isPlaced(report, name.includes('swapped') ? Math.min(index, other) : place);
    if (!isFound)
      missed.push(`${round}: ${name} at ${index} and ${other}: ${JSON.stringify(report.faults.slice(0, 3))}`);
  }
  expect(missed).toEqual([]);
});

test('without heads that were kept elsewhere, a log that was written again looks consistent', async () => {
  const changed = lines.with(17, rehash(changeEntry(17)));
  const again = await verifyLog(textOf(signAgain(changed), changed), { heads: [] });
  expect(again.verdict).toBe('consistent');
  const byOperator = signAgain(changed, signer);
  expect((await verifyLog(textOf(byOperator, changed), { fingerprint, heads: [] })).verdict).toBe('consistent');
  const withHeads = await verifyLog(textOf(byOperator, changed), { fingerprint, heads: kept });
  expect(withHeads.faults).toMatchObject([{ from: 0, to: headEvery - 1 }]);
});
