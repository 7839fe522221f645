import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clip } from './corpus.ts';
import { readSamples } from './corpus.ts';

/*
 * English by people whose language is Mandarin: the corpus speechocean762 (openslr.org/101), in a folder of this name
 * beside the other recordings. The repository has no sound and no text of it, only speechocean762.tsv: for one recording
 * of each of its 250 speakers, its path, the age of the speaker, and the SHA-256 of the file. It is the first recording in
 * the corpus' order with at least five words.
 */

/** Younger speakers are children. */
const adultAge = 18;

const list = fileURLToPath(new URL('speechocean762.tsv', import.meta.url));

/** Undefined without the corpus. The SHA-256 of each file is checked when it is read. */
export function readNonNativeClips(speechFolder: string): Clip[] | undefined {
  const folder = join(speechFolder, 'speechocean762');
  if (speechFolder === '' || !existsSync(folder)) return undefined;
  const texts = new Map(['train', 'test'].flatMap((part) => readTexts(join(folder, part, 'text'))));
  return parseSpeakers(readFileSync(list, 'utf8')).map(({ path, age, sha256 }) => {
    const name = path.replace(/^.*\/|\.WAV$/g, '');
    const said = texts.get(name);
    if (said === undefined) throw new Error(`speechocean762: no text for ${name} in its folders train and test`);
    return {
      name,
      source: `speechocean762 ${name.slice(0, 5)}`,
      language: 'en',
      group: age < adultAge ? 'children' : 'non-native',
      said,
      read: () => readChecked(join(folder, path), sha256),
    };
  });
}

/** Throws an error that names the line if a line is incomplete. */
export function parseSpeakers(text: string): { path: string; age: number; sha256: string }[] {
  const lines = text.trimEnd().split('\n').slice(1);
  return lines.map((line, at) => {
    const [path = '', age = '', sha256 = ''] = line.split('\t');
    if (path === '' || !/^\d+$/.test(age) || !/^[0-9a-f]{64}$/.test(sha256)) {
      throw new Error(`speechocean762.tsv, line ${at + 2}: expected path, age and SHA-256, separated by tabs`);
    }
    return { path, age: Number(age), sha256 };
  });
}

const readTexts = (path: string): [string, string][] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', said = ''] = line.split('\t');
      return [name, said.trim().toLowerCase()];
    });

function readChecked(path: string, sha256: string): Float32Array {
  const found = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (found !== sha256) throw new Error(`${path} is not the recording that speechocean762.tsv names`);
  return readSamples(path);
}
