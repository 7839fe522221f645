import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * ESC-50 (Karol J. Piczak): 2,000 recordings of 5 seconds in 50 classes and five folds. The dataset's file LICENSE
 * gives the licence of each clip.
 */

export interface DatasetClip {
  readonly path: string;
  readonly name: string;
  readonly fold: number;
  readonly category: string;
  readonly licence: string;
  /** The author as named by the dataset. */
  readonly author: string;
  readonly source: string;
}

export interface Dataset {
  /** The clips that may be used. */
  readonly clips: readonly DatasetClip[];
  /** The number of clips under each licence, used or not. */
  readonly licences: Readonly<Record<string, number>>;
  readonly listSha256: string;
}

/** Licences that permit any use of the trained weights; clips without a licence are `unknown`. */
const usable = new Set(['CC0', 'CC-BY']);

interface Credit {
  readonly source: string;
  readonly author: string;
  readonly licence: string;
}

export function readDataset(folder: string): Dataset {
  const lists = [join(folder, 'meta', 'esc50.csv'), join(folder, 'LICENSE')] as const;
  const missing = lists.find((path) => !existsSync(path));
  if (missing !== undefined) throw new Error(`${missing} is missing: this is not a folder of ESC-50`);
  const [table, licence] = lists.map((path) => readFileSync(path, 'utf8')) as [string, string];
  const credits = readCredits(licence);
  const licences: Record<string, number> = {};
  const clips: DatasetClip[] = [];
  for (const line of table.trim().split('\n').slice(1)) {
    const [name = '', fold = '', , category = ''] = line.split(',');
    const credit = credits.get(name.replace(/-\d+\.wav$/, ''));
    const kind = credit?.licence ?? 'unknown';
    licences[kind] = (licences[kind] ?? 0) + 1;
    if (!credit || !usable.has(kind)) continue;
    clips.push({ path: join(folder, 'audio', name), name, fold: Number(fold), category, ...credit });
  }
  const listSha256 = createHash('sha256').update(table).update(licence).digest('hex');
  return { clips: clips.toSorted((a, b) => (a.name < b.name ? -1 : 1)), licences, listSha256 };
}

function readCredits(licence: string): Map<string, Credit> {
  const line =
    /^- \[(?<clip>[^\]]+)\.ogg\]:.*\((?<source>https?:[^)\s]+)\) by (?<author>.*) \[(?<licence>[^\]]*)\]\s*$/gm;
  const found = [...licence.matchAll(line)].map(({ groups }): [string, Credit] => [
    groups!['clip']!,
    { source: groups!['source']!, author: groups!['author']!.trim(), licence: groups!['licence']! },
  ]);
  return new Map(found);
}
