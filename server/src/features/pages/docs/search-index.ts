import type { Block } from '../markdown/blocks.ts';
import { makeSlugs } from '../markdown/slug.ts';
import { readSpans, textOfSpans } from '../markdown/spans.ts';

/** A heading with the text below it, as the script of the site searches it. */
export interface SearchEntry {
  readonly address: string;
  /** Of the page. */
  readonly title: string;
  /** Empty for the text before the first heading. */
  readonly heading: string;
  readonly text: string;
}

export function indexPage(address: string, blocks: readonly Block[]): readonly SearchEntry[] {
  const slugOf = makeSlugs();
  const title = titleOf(blocks);
  const entries: { address: string; title: string; heading: string; texts: string[] }[] = [
    { address, title, heading: '', texts: [] },
  ];
  for (const block of blocks) {
    if (block.kind !== 'heading') {
      entries.at(-1)?.texts.push(textOf(block));
      continue;
    }
    const heading = textOfSpans(readSpans(block.text));
    const slug = slugOf(heading);
    if (block.level > 1) entries.push({ address: `${address}#${slug}`, title, heading, texts: [] });
  }
  return entries.map(({ texts, ...entry }) => ({ ...entry, text: texts.join(' ').replaceAll(/\s+/g, ' ').trim() }));
}

export function titleOf(blocks: readonly Block[]): string {
  const heading = blocks.find((block) => block.kind === 'heading');
  return heading ? textOfSpans(readSpans(heading.text)) : '';
}

const plain = (text: string): string => textOfSpans(readSpans(text));

function textOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plain(block.text);
    case 'code':
      return block.text;
    case 'quote':
      return block.blocks.map(textOf).join(' ');
    case 'list':
      return block.items.flatMap((blocks) => blocks.map(textOf)).join(' ');
    case 'table':
      return [block.head, ...block.rows].map((cells) => cells.map(plain).join(' ')).join(' ');
  }
}
