import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { repository } from '../process/server-process.ts';
import type { Mention } from './mentions.ts';

const leftOut = new Set(['node_modules', 'dist', 'data', 'coverage', '.git']);

/** Every file of the project, relative to its folder. */
export function listFiles(folder = ''): readonly string[] {
  return readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return leftOut.has(entry.name) ? [] : listFiles(path);
  });
}

const textEndings = new Set('.ts .tsx .js .mjs .sql .sh .css .html .json .yaml .yml .env .service .conf'.split(' '));
const named = new Set(['Containerfile', 'Caddyfile', 'earshot']);

/** What a name in the documentation may refer to. Tests may make up names, and package-lock.json has those of others. */
const isSource = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/\.test\.tsx?$/.test(name) || name === 'package-lock.json' || path.startsWith('tests/docs/')) return false;
  return textEndings.has(extname(name)) || named.has(name);
};

/** Without comments: they may still have a name that is gone. */
const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[^]*?\*\//g, ' ').replaceAll(/(^|\s)\/\/.*$/gm, ' ');

export interface Sources {
  readonly files: readonly string[];
  /** Every word of the sources: names, and the words of texts. */
  readonly words: ReadonlySet<string>;
  readonly scripts: ReadonlySet<string>;
  readonly benches: ReadonlySet<string>;
}

export function readSources(): Sources {
  const files = listFiles();
  const words = new Set<string>();
  for (const path of files.filter(isSource)) {
    const text = withoutComments(readFileSync(join(repository, path), 'utf8'));
    for (const [word] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) words.add(word);
  }
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { scripts: object };
  const benches = files.flatMap((path) => /^bench\/([^/]+)\/main\.ts$/.exec(path)?.[1] ?? []);
  return { files, words, scripts: new Set(Object.keys(scripts)), benches: new Set(benches) };
}

/** The texts of the programs, file by file, without comments and without the seams of texts that are written in parts. */
export const readTexts = (): readonly string[] =>
  listFiles()
    .filter((path) => isSource(path) && /^(?:server|console|cli|agent|client|contract|scripts)\//.test(path))
    .map((path) => withoutComments(readFileSync(join(repository, path), 'utf8')).replaceAll(/['`]\s*\+\s*['`]/g, ''));

/** Finds what one mention names and the project does not have, a sentence each. */
export type FindFaults = (mention: Mention, sources: Sources) => readonly string[];
