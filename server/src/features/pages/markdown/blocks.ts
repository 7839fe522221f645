import { readTable } from './table.ts';
import type { Table } from './table.ts';

export interface List {
  readonly kind: 'list';
  /** The first number; undefined for a list without numbers. */
  readonly start: number | undefined;
  readonly items: readonly (readonly Block[])[];
}

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph' | 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | List
  | Table;

/** What one reader found at a line, and the line after it. */
type Found = readonly [blocks: readonly Block[], next: number];
type Reader = (lines: readonly string[], at: number) => Found | undefined;

const fencePattern = /^ {0,3}(`{3,})[^`]*$/;
const headingPattern = /^(#{1,6}) +(.*?)(?: +#+)? *$/;
const quotePattern = /^ {0,3}> ?/;
const itemPattern = /^( {0,3})([-*]|\d{1,9}\.)( +)(?=\S)/;
const codePattern = /^ {4}/;
const isBlank = (line: string | undefined): boolean => line !== undefined && line.trim() === '';

const readers: readonly Reader[] = [readComment, readFence, readHeading, readQuote, readList, readCode, readTable];

/** Reads the Markdown of the documentation: what GitHub shows of it, and nothing that is not used there. */
export function readBlocks(text: string): readonly Block[] {
  return readLines(text.replaceAll('\r\n', '\n').split('\n'));
}

function readLines(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const [found, next] = readBlock(lines, at) ?? readParagraph(lines, at);
    blocks.push(...found);
    at = next;
  }
  return blocks;
}

function readBlock(lines: readonly string[], at: number): Found | undefined {
  for (const read of readers) {
    const found = read(lines, at);
    if (found) return found;
  }
  return undefined;
}

/** The line after those from `at` on that belong to a block. */
function endOf(lines: readonly string[], at: number, belongs: (line: string, index: number) => boolean): number {
  let end = at;
  while (end < lines.length && belongs(lines[end]!, end)) end += 1;
  return end;
}

function readComment(lines: readonly string[], at: number): Found | undefined {
  if (!lines[at]!.startsWith('<!--')) return undefined;
  return [[], endOf(lines, at, (line) => !line.includes('-->')) + 1];
}

function readFence(lines: readonly string[], at: number): Found | undefined {
  const fence = fencePattern.exec(lines[at]!)?.[1];
  if (fence === undefined) return undefined;
  const end = endOf(lines, at + 1, (line) => line.trim() !== fence);
  return [[{ kind: 'code', text: lines.slice(at + 1, end).join('\n') }], end + 1];
}

function readHeading(lines: readonly string[], at: number): Found | undefined {
  const [, marks, text] = headingPattern.exec(lines[at]!) ?? [];
  if (marks === undefined || text === undefined) return undefined;
  return [[{ kind: 'heading', level: marks.length, text }], at + 1];
}

function readQuote(lines: readonly string[], at: number): Found | undefined {
  const end = endOf(lines, at, (line) => quotePattern.test(line));
  if (end === at) return undefined;
  const inner = lines.slice(at, end).map((line) => line.replace(quotePattern, ''));
  return [[{ kind: 'quote', blocks: readLines(inner) }], end];
}

function readCode(lines: readonly string[], at: number): Found | undefined {
  if (!codePattern.test(lines[at]!)) return undefined;
  const end = endOf(lines, at, (line) => codePattern.test(line) || isBlank(line));
  const text = lines.slice(at, end).map((line) => line.slice(4));
  return [[{ kind: 'code', text: text.join('\n').trimEnd() }], end];
}

function readList(lines: readonly string[], at: number): Found | undefined {
  const first = itemPattern.exec(lines[at]!);
  if (!first) return undefined;
  const isNumbered = first[2]!.endsWith('.');
  const items: (readonly Block[])[] = [];
  let next = at;
  for (;;) {
    const item = next < lines.length ? itemPattern.exec(lines[next]!) : undefined;
    if (!item || item[2]!.endsWith('.') !== isNumbered) break;
    const [blocks, end] = readItem(lines, next, item[0].length);
    items.push(blocks);
    next = end;
  }
  return [[{ kind: 'list', start: isNumbered ? Number.parseInt(first[2]!, 10) : undefined, items }], next];
}

/** An item goes on with lines that are indented like its text, and with the rest of a paragraph. */
function readItem(lines: readonly string[], at: number, indent: number): readonly [readonly Block[], number] {
  const isInside = (line: string): boolean => line.startsWith(' '.repeat(indent));
  const goesOn = (line: string, index: number): boolean => {
    if (isInside(line)) return true;
    if (isBlank(line)) return isInside(lines[endOf(lines, index, isBlank)] ?? '');
    return !isBlank(lines[index - 1]) && !itemPattern.test(line) && !interrupts(lines, index);
  };
  const end = endOf(lines, at + 1, goesOn);
  const inner = [lines[at]!.slice(indent), ...lines.slice(at + 1, end).map((line) => dedent(line, indent))];
  return [readLines(inner), endOf(lines, end, isBlank)];
}

const dedent = (line: string, indent: number): string =>
  line.slice(Math.min(indent, line.length - line.trimStart().length));

/** Whether a line ends the paragraph before it. A number in running text does not, unless it is 1. */
function interrupts(lines: readonly string[], at: number): boolean {
  const line = lines[at]!;
  const marker = itemPattern.exec(line)?.[2];
  if (marker !== undefined) return !marker.endsWith('.') || marker === '1.';
  return (
    fencePattern.test(line) ||
    headingPattern.test(line) ||
    quotePattern.test(line) ||
    line.startsWith('<!--') ||
    readTable(lines, at) !== undefined
  );
}

function readParagraph(lines: readonly string[], at: number): Found {
  const end = endOf(lines, at + 1, (line, index) => !isBlank(line) && !interrupts(lines, index));
  const text = lines.slice(at, end).map((line) => line.trim());
  return [[{ kind: 'paragraph', text: text.join('\n') }], end];
}
