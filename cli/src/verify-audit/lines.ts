import type { AuditLogLine } from '@earshot/contract/audit-log';
import type { SealedEntry } from '@earshot/contract/audit-leaf';
import { findUnsealedField, writeLeaf } from '@earshot/contract/audit-leaf';
import { hashLeaf } from '@earshot/contract/audit-tree';
import type { LogFault } from './report.ts';

const lineFields = new Set(['leafIndex', 'hash', 'entry']);

/**
 * A line of the export; undefined if it is none, or if it is not written as the server writes it: of a field that stands
 * twice, people and programs may read different ones.
 */
export function readLogLine(text: string): AuditLogLine | undefined {
  try {
    const line = JSON.parse(text) as AuditLogLine;
    const { leafIndex, hash, entry } = line;
    const isLine = Number.isSafeInteger(leafIndex) && leafIndex >= 0 && /^[0-9a-f]{64}$/.test(hash);
    const isKnown = Object.keys(line).every((name) => lineFields.has(name));
    const hasEntry = entry === undefined || (typeof entry === 'object' && (entry as unknown) !== null);
    return isLine && isKnown && hasEntry && JSON.stringify(line) === text ? line : undefined;
  } catch {
    return undefined;
  }
}

/** What is wrong with an entry by itself. */
export function findEntryFault(index: number, entry: SealedEntry, hash: string): LogFault | undefined {
  const place = { from: index, to: index };
  const strange = findUnsealedField(entry);
  if (strange !== undefined) {
    return { ...place, text: `leaf ${index}: the entry has the field ${strange}, which was not sealed.` };
  }
  if (hashLeaf(writeLeaf(entry)).toString('hex') === hash) return undefined;
  return {
    ...place,
    text: `leaf ${index}: the entry or its hash was changed (entry ${entry.key}, ${entry.action}, ${entry.auditDate}).`,
  };
}

/** The lines with the place that each should have. Looks one line ahead, to tell a missing line from a moved one. */
export async function* placeLines(lines: AsyncIterable<AuditLogLine | undefined>): AsyncGenerator<{
  readonly line: AuditLogLine | undefined;
  readonly expected: number;
  readonly fault?: LogFault;
  readonly isExtra?: true;
}> {
  let expected = 0;
  const reader = lines[Symbol.asyncIterator]();
  let next = await reader.next();
  while (!next.done) {
    const line = next.value;
    next = await reader.next();
    const after = next.done ? undefined : next.value?.leafIndex;
    const at = expected;
    if (line === undefined) {
      yield {
        line,
        expected,
        fault: { from: at, to: at, text: `leaf ${at}: its line was changed, or cannot be read.` },
      };
      expected += 1;
    } else if (line.leafIndex === expected) {
      yield { line, expected };
      expected += 1;
    } else if (after === expected) {
      const text = `leaf ${line.leafIndex} stands once more before leaf ${at}.`;
      yield { line, expected, isExtra: true, fault: { from: at, to: at, text } };
    } else if (line.leafIndex > expected && after !== expected + 1) {
      const to = line.leafIndex - 1;
      const text = `${at === to ? `leaf ${at} is` : `leaves ${at} to ${to} are`} missing.`;
      yield { line, expected: line.leafIndex, fault: { from: at, to, text } };
      expected = line.leafIndex + 1;
    } else {
      yield {
        line,
        expected,
        fault: { from: at, to: at, text: `leaf ${line.leafIndex} stands in the place of leaf ${at}.` },
      };
      expected += 1;
    }
  }
}
