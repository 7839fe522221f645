import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DecisiveFile } from './decisive-files.ts';
import type { Mutant } from './find-mutants.ts';
import { findMutants } from './find-mutants.ts';
import type { FileResult } from './report.ts';
import { describeMutant } from './report.ts';
import { sample } from './sample.ts';
import type { TestRunner } from './test-runner.ts';

export interface MutationOptions {
  readonly root: string;
  readonly runner: TestRunner;
  readonly seed: number;
  /** The most mutants of a file. */
  readonly each: number;
  /** Only mutants of these lines; of all when missing. */
  readonly lines: readonly number[] | undefined;
  readonly onMutant: (mutant: Mutant, failure: string | undefined, seconds: number) => void;
}

/** A mutant may make slow what was quick; one that is still running after this has no end. */
const limitSeconds = (usualSeconds: number): number => Math.round(60 + 5 * usualSeconds);
const longestUsualSeconds = 600;

/** Runs the tests of a file without a mutant, which must pass, and then with each mutant of a sample. */
export async function mutateFile(options: MutationOptions, decisive: DecisiveFile): Promise<FileResult> {
  const { root, runner, seed, each, lines, onMutant } = options;
  const { file, tests } = decisive;
  const start = performance.now();
  const usual = await runner.run(tests, undefined, longestUsualSeconds);
  if (usual.failure !== undefined) throw new Error(`${file} is not mutated, but a test fails: ${usual.failure}`);
  if (usual.testCount === 0) throw new Error(`${file} has no tests`);
  const all = findMutants(file, readFileSync(join(root, file), 'utf8'));
  const judged = all.filter((mutant) => !isEquivalent(decisive, mutant));
  const asked = judged.filter((mutant) => lines?.includes(describeMutant(mutant).line) ?? true);
  const chosen = sample(asked, each, seed, textOf);
  const survivors: Mutant[] = [];
  for (const mutant of chosen) {
    const { failure, seconds } = await runner.run(tests, mutant, limitSeconds(usual.seconds));
    if (failure === undefined) survivors.push(mutant);
    onMutant(mutant, failure, seconds);
  }
  return {
    file,
    mutants: all.length,
    killed: chosen.length - survivors.length,
    equivalent: all.length - judged.length,
    survivors,
    seconds: (performance.now() - start) / 1_000,
  };
}

function isEquivalent({ equivalents = [] }: DecisiveFile, mutant: Mutant): boolean {
  const { before, after } = describeMutant(mutant);
  return equivalents.some(({ line, becomes }) => before[0] === line && (becomes === undefined || after[0] === becomes));
}

function textOf(mutant: Mutant): string {
  const { before, after } = describeMutant(mutant);
  return `${before.join('\n')}\n${after.join('\n')}`;
}
