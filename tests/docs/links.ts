import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readBlocks } from '@earshot/server/features/pages/markdown/blocks';
import { makeSlugs } from '@earshot/server/features/pages/markdown/slug';
import { readSpans, textOfSpans } from '@earshot/server/features/pages/markdown/spans';
import { repository } from '../process/server-process.ts';
import type { Mention } from './mentions.ts';
import { placeOf } from './mentions.ts';

const anchors = new Map<string, ReadonlySet<string>>();

/** The anchors of a Markdown file, which are those of its page and on GitHub. */
function anchorsOf(path: string): ReadonlySet<string> {
  const known = anchors.get(path);
  if (known) return known;
  const slugOf = makeSlugs();
  const blocks = readBlocks(readFileSync(join(repository, path), 'utf8'));
  const found = new Set(
    blocks.flatMap((block) => (block.kind === 'heading' ? [slugOf(textOfSpans(readSpans(block.text)))] : [])),
  );
  anchors.set(path, found);
  return found;
}

/** Links to other sites are not opened. */
export function findLinkFaults(mention: Mention): readonly string[] {
  const { file, kind, text } = mention;
  if (kind !== 'link' || /^[a-z]+:/.test(text)) return [];
  const [target = '', anchor] = text.split('#', 2);
  const path = target === '' ? file : posix.join(posix.dirname(file), target);
  if (!existsSync(join(repository, path))) return [`${placeOf(mention)}: the link ${text} leads to no file`];
  if (anchor === undefined || statSync(join(repository, path)).isDirectory()) return [];
  return anchorsOf(path).has(anchor) ? [] : [`${placeOf(mention)}: ${path} has no heading for the link ${text}`];
}
