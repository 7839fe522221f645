import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledInPrograms, writeNotices } from '../third-party.mjs';

/** The files of the package of the command line, by name, from what was built. */
export function cliPackageFiles(root, version) {
  const read = (path) => readFileSync(join(root, path), 'utf8');
  // Everything else that it uses is in the one file that was built.
  const { devDependencies: _, ...manifest } = JSON.parse(read('cli/package.json'));
  return new Map([
    ['package.json', `${JSON.stringify({ ...manifest, version }, undefined, 2)}\n`],
    ['bin/earshot.mjs', read('cli/bin/earshot.mjs')],
    ['dist/earshot.mjs', read('cli/dist/earshot.mjs')],
    ['README.md', read('cli/README.md')],
    ['LICENSE', read('LICENSE')],
    ['THIRD-PARTY.txt', writeNotices(root, 'dist/earshot.mjs', bundledInPrograms)],
  ]);
}
