import { posix } from 'node:path';
import type { RenderRules } from '../markdown/render.ts';

/** Paths of files are relative to the folder of the documentation, with slashes: `guides/write-your-own-agent.md`. */

export const docsAddress = '/docs/';
export const indexPath = 'README.md';

/** `operating.md` is at /docs/operating, and `decisions/README.md` at /docs/decisions/. */
export function pageAddress(path: string): string {
  if (posix.basename(path) !== indexPath) return docsAddress + path.replace(/\.md$/, '');
  const folder = posix.dirname(path);
  return folder === '.' ? docsAddress : `${docsAddress}${folder}/`;
}

/** Links between the files become links between the pages. Files that are not part of the site are not linked. */
export function rulesFor(path: string, paths: ReadonlySet<string>): RenderRules {
  const fileAt = (target: string): string | undefined => {
    const file = posix.join(posix.dirname(path), target);
    return [file, posix.join(file, indexPath)].find((each) => paths.has(each));
  };
  return {
    shortCode: 24,
    link(href) {
      if (/^(?:#|https?:\/\/)/.test(href)) return href;
      const [target = '', anchor] = href.split('#', 2);
      const file = fileAt(target);
      if (file === undefined) return undefined;
      return pageAddress(file) + (anchor === undefined ? '' : `#${anchor}`);
    },
    image(source) {
      const file = fileAt(source);
      return file === undefined ? undefined : docsAddress + file;
    },
  };
}
