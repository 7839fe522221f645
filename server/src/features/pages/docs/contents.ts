import { posix } from 'node:path';
import type { Block, List } from '../markdown/blocks.ts';
import { readBlocks } from '../markdown/blocks.ts';
import type { MarkdownSpan } from '../markdown/spans.ts';
import { readSpans, textOfSpans } from '../markdown/spans.ts';
import { indexPath } from './addresses.ts';

/** A page in the order of reading. */
export interface ContentsEntry {
  readonly path: string;
  readonly title: string;
  /** The pages that its own list names, if it is the index of a folder. */
  readonly entries: readonly ContentsEntry[];
}

export interface ContentsSection {
  readonly title: string;
  readonly entries: readonly ContentsEntry[];
}

/** The sections and their pages, as the lists in the index of the documentation name them. */
export function readContents(readPage: (path: string) => string): readonly ContentsSection[] {
  const sections: { title: string; entries: ContentsEntry[] }[] = [];
  for (const block of readBlocks(readPage(indexPath))) {
    if (block.kind === 'heading' && block.level === 2) sections.push({ title: block.text, entries: [] });
    if (block.kind === 'list') sections.at(-1)?.entries.push(...readEntries(block, indexPath, readPage));
  }
  return sections;
}

function readEntries({ items }: List, indexFile: string, readPage: (path: string) => string): ContentsEntry[] {
  return items.flatMap((blocks) => {
    const link = firstLink(blocks);
    if (!link?.href.endsWith('.md') || link.href.startsWith('..')) return [];
    const path = posix.join(posix.dirname(indexFile), link.href);
    const isIndex = posix.basename(path) === indexPath;
    return [{ path, title: textOfSpans(link.spans), entries: isIndex ? readFolder(path, readPage) : [] }];
  });
}

const readFolder = (path: string, readPage: (path: string) => string): ContentsEntry[] =>
  readBlocks(readPage(path)).flatMap((block) => (block.kind === 'list' ? readEntries(block, path, readPage) : []));

function firstLink([first]: readonly Block[]): Extract<MarkdownSpan, { readonly kind: 'link' }> | undefined {
  return first?.kind === 'paragraph' ? readSpans(first.text).find((span) => span.kind === 'link') : undefined;
}

/** All pages behind each other: what "next" leads to. */
export const readingOrder = (sections: readonly ContentsSection[]): readonly ContentsEntry[] =>
  sections.flatMap(({ entries }) => entries.flatMap((entry) => [entry, ...entry.entries]));
