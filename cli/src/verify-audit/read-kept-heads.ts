import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isKeptName } from '@earshot/contract/kept-heads';
import { usageFailure } from '../failure.ts';
import type { KeptNote } from './verify-log.ts';

/** All heads of the folder and its folders. */
export async function readKeptHeads(folder: string): Promise<KeptNote[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw usageFailure(`The folder ${folder} cannot be read.`);
  });
  const paths = entries
    .filter((entry) => entry.isFile() && isKeptName(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  if (paths.length === 0) throw usageFailure(`There are no heads in ${folder}.`);
  const kept: KeptNote[] = [];
  for (const path of paths.toSorted()) kept.push({ name: relative(folder, path), note: await readFile(path, 'utf8') });
  return kept;
}
