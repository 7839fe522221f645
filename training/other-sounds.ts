import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sampleRate } from '@earshot/server/platform/listening/engine';
import { featureWindowSamples } from '@earshot/server/platform/listening/labels/feature-shape';
import { noSound } from '@earshot/server/platform/listening/labels/sound-names';
import { foldCount } from './folds.ts';

/*
 * Sounds that are not in ESC-50: music, and sounds of no class. The list other-sounds.tsv names them in public
 * repositories, all CC0 or CC BY. Clones of those repositories are expected in one folder, as <owner>/<name>.
 * Several paths on one line are played one after the other, each for an equal part of the window: notes become a phrase.
 */

export interface OtherSound {
  /** `music`, or a group of sounds for which no label is reported. */
  readonly group: string;
  readonly repository: string;
  readonly paths: readonly string[];
  /** The same for all sounds of a folder, so that no collection is both learned and held out. */
  readonly fold: number;
}

/** Reads the list. */
export function parseOtherSounds(text: string): OtherSound[] {
  const [, ...lines] = text.trim().split('\n');
  const rows = lines.map((line) => {
    const [group = '', repository = '', paths = ''] = line.split('\t');
    return { group, repository, paths: paths.split(';') };
  });
  const folders = [...new Set(rows.map(folderOf))];
  return rows.map((row) => ({ ...row, fold: (folders.indexOf(folderOf(row)) % foldCount) + 1 }));
}

const folderOf = ({ repository, paths }: Pick<OtherSound, 'repository' | 'paths'>): string =>
  `${repository}/${dirname(paths[0]!)}`;

/** The label of a group: `music`, or none. */
export const labelOfGroup = (group: string): string => (group === 'music' ? group : noSound);

/** Reads the sound with ffmpeg. Throws an error that names the missing file. */
export function readOtherSound(folder: string, { repository, paths }: OtherSound): Float32Array {
  const window = new Float32Array(featureWindowSamples);
  const part = Math.floor(featureWindowSamples / paths.length);
  for (const [at, path] of paths.entries()) {
    const file = join(folder, repository, path);
    if (!existsSync(file)) throw new Error(`${file} is missing: clone https://github.com/${repository} there`);
    const seconds = String(part / sampleRate);
    const format = ['-f', 'f32le', '-ac', '1', '-ar', String(sampleRate), '-'];
    const bytes = execFileSync('ffmpeg', ['-v', 'error', '-t', seconds, '-i', file, ...format], { maxBuffer: 2 ** 26 });
    window.set(new Float32Array(new Uint8Array(bytes).buffer).subarray(0, part), at * part);
  }
  return window;
}

export const readOtherList = (path: string): OtherSound[] => parseOtherSounds(readFileSync(path, 'utf8'));
