import type { AuditHead } from '@earshot/contract/audit-head';
import { readAuditHead } from '@earshot/contract/audit-head';
import type { AuditLogHeader, AuditLogKey } from '@earshot/contract/audit-log';
import { auditLogFormat } from '@earshot/contract/audit-log';
import { createGrowingTree } from '@earshot/contract/audit-tree';
import { openNote } from '@earshot/contract/signed-note';
import { Failure } from '../failure.ts';
import type { NamedHead } from './checkpoints.ts';
import { isLost, listCheckpoints, walkCheckpoints } from './checkpoints.ts';
import { findEntryFault, placeLines, readLogLine } from './lines.ts';
import { watchPruning } from './pruning.ts';
import type { LogFault, LogReport } from './report.ts';
import type { TrustedKey } from '@earshot/contract/audit-trust';
import { findKeptKey, findTrust, openHead } from '@earshot/contract/audit-trust';

export interface KeptNote {
  readonly name: string;
  readonly note: string;
}

export interface LogVerification {
  /** Of a key of the installation, kept elsewhere. */
  readonly fingerprint?: string | undefined;
  /** Heads that were kept elsewhere. */
  readonly heads: readonly KeptNote[];
}

/** Faults beyond this number are counted, not listed. */
const mostFaults = 1_000;

/** Checks an export line by line; the memory that it needs does not grow with the log. */
export async function verifyLog(
  lines: AsyncIterable<string>,
  { fingerprint, heads }: LogVerification,
): Promise<LogReport> {
  const reader = lines[Symbol.asyncIterator]();
  const first = await reader.next();
  const header = readHeader(first.done ? '' : first.value);
  const faults: LogFault[] = [];
  const report = (fault: LogFault): void => void (faults.length < mostFaults && faults.push(fault));
  const own = readAuditHead(openNote(header.head)?.text ?? '');
  if (!own) throw new Failure('The export has no signed head. Export the log again.');
  const trust = findTrust(own.origin, header.keys, fingerprint);
  for (const text of trust.faults) report({ text });
  const opened = openHead(header.head, own.origin, trust.keys);
  if (typeof opened === 'string') report({ text: `The head of the export ${opened}.` });
  const kept = openKept(own, heads, trust.keys, fingerprint);
  kept.faults.forEach(report);
  const compared = listCheckpoints(own, kept.heads);
  compared.faults.forEach(report);
  const walked = await walkLines({ [Symbol.asyncIterator]: () => reader }, own, compared.checkpoints, report);
  const gaps = [...compared.gaps, ...walked.gaps];
  const isVerified = fingerprint !== undefined && walked.headsCompared > 0;
  const passed = gaps.length > 0 ? 'incomplete' : isVerified ? 'verified' : 'consistent';
  return { verdict: faults.length > 0 ? 'faulty' : passed, ...walked, faults, gaps, notes: compared.notes };
}

/** The heads that can be trusted; equal faults of several are told once. */
function openKept(
  own: AuditHead,
  notes: readonly KeptNote[],
  trusted: readonly TrustedKey[],
  fingerprint: string | undefined,
): { readonly heads: readonly NamedHead[]; readonly faults: readonly LogFault[] } {
  const isUnknown = trusted.length === 0 && fingerprint !== undefined;
  const other = isUnknown
    ? findKeptKey(
        notes.map(({ note }) => note),
        fingerprint,
      )
    : undefined;
  const heads: NamedHead[] = [];
  const refused = new Map<string, string[]>();
  for (const { name, note } of notes) {
    const head = openHead(note, own.origin, other ? [other] : trusted, (lost) => isLost(own, lost));
    if (typeof head !== 'string') heads.push({ name: `the head ${name}`, head });
    else refused.set(head, [...(refused.get(head) ?? []), name]);
  }
  const faults = [...refused].map(([reason, [first, ...more]]) => ({
    text: `The head ${first} ${reason}${more.length > 0 ? `; the same is true of ${more.length} others` : ''}.`,
  }));
  return { heads, faults };
}

function readHeader(line: string): AuditLogHeader {
  try {
    const header: unknown = JSON.parse(line);
    if (isHeader(header) && JSON.stringify(header) === line) return header;
  } catch {
    // Below.
  }
  throw new Failure(
    'This is not an export of the sealed audit log. Use “Export for verification” on the page of the audit trail.',
  );
}

const headerFields = new Set(['format', 'version', 'head', 'keys']);

/** Anybody may have written the file, and of a field that is not checked somebody could believe it is. */
function isHeader(value: unknown): value is AuditLogHeader {
  const header = (value ?? {}) as Partial<AuditLogHeader>;
  const isOurs = header.format === auditLogFormat && header.version === 1 && typeof header.head === 'string';
  const isKnown = Object.keys(header).every((name) => headerFields.has(name));
  return isOurs && isKnown && Array.isArray(header.keys) && header.keys.every(isLogKey);
}

function isLogKey(value: unknown): boolean {
  const { publicKey, fingerprint, startSize, note, ...more } = (value ?? {}) as Partial<AuditLogKey>;
  const areTexts = [publicKey, fingerprint, note ?? ''].every((text) => typeof text === 'string');
  return areTexts && Number.isSafeInteger(startSize) && note !== null && Object.keys(more).length === 0;
}

async function* readLines(lines: AsyncIterable<string>) {
  for await (const line of lines) if (line !== '') yield readLogLine(line);
}

async function walkLines(
  lines: AsyncIterable<string>,
  own: AuditHead,
  checkpoints: Parameters<typeof walkCheckpoints>[0],
  report: (fault: LogFault) => void,
) {
  const tree = createGrowingTree();
  const walk = walkCheckpoints(checkpoints);
  const pruning = watchPruning(own.pruned);
  let [size, fromBeforeCount] = [0, 0];
  const root = () => tree.root().toString('base64');
  walk.pass(0, root);
  for await (const { line, expected, fault, isExtra } of placeLines(readLines(lines))) {
    if (fault) {
      report(fault);
      walk.breakOff();
    }
    if (isExtra) continue;
    size = expected + 1;
    if (!line) continue;
    const { hash, entry } = line;
    const changed = entry && findEntryFault(expected, entry, hash);
    if (changed) report(changed);
    if (entry?.isFromBefore) fromBeforeCount += 1;
    pruning.pass(expected, entry);
    tree.append(Buffer.from(hash, 'hex'));
    walk.pass(size, root);
  }
  const ended = walk.end(size);
  const { faults, gaps } = pruning.end();
  for (const fault of [...ended.faults, ...faults]) report(fault);
  if (size > own.size) {
    report({ from: own.size, to: size - 1, text: `The export has ${size} leaves, but its head has ${own.size}.` });
  }
  const { verifiedSize, comparedHeads: headsCompared } = ended;
  return { size, verifiedSize, headsCompared, prunedCount: pruning.count(), fromBeforeCount, gaps };
}
