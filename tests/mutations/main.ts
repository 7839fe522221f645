// Changes decisive files in small ways, one at a time, and runs the tests that cover them: a mutant that no test notices
// shows a rule that no test holds. Nothing on the disk changes.
//
//   npm run test:mutations                                   a sample of all files, with a new seed
//   npm run test:mutations -- --seed 7 --each 12             the sample of a seed, 12 mutants for each file
//   npm run test:mutations -- --file agent/src/journal.ts --each 1000      all of one file
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decisiveFiles, type DecisiveFile } from './decisive-files.ts';
import { findMutants, type Mutant } from './find-mutants.ts';
import { describeMutant, type FileResult, showMutant, showTable } from './report.ts';
import { sample } from './sample.ts';
import { startTestRunner, type TestRunner } from './test-runner.ts';

const goal = 0.85;
const root = join(import.meta.dirname, '../..');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** A mutant may make slow what was quick; one that is still running after this has no end. */
const limitSeconds = (usualSeconds: number): number => Math.round(60 + 5 * usualSeconds);

function isEquivalent({ equivalents = [] }: DecisiveFile, mutant: Mutant): boolean {
  const { before, after } = describeMutant(mutant);
  return equivalents.some(({ line, becomes }) => before[0] === line && (becomes === undefined || after[0] === becomes));
}

const textOf = (mutant: Mutant): string => {
  const { before, after } = describeMutant(mutant);
  return `${before.join('\n')}\n${after.join('\n')}`;
};

async function mutateFile(runner: TestRunner, decisive: DecisiveFile, each: number, seed: number): Promise<FileResult> {
  const { file, tests } = decisive;
  const start = performance.now();
  const unchanged = await runner.run(tests, undefined, 600);
  if (unchanged.failure !== undefined)
    throw new Error(`${file} is not mutated, but a test fails: ${unchanged.failure}`);
  if (unchanged.testCount === 0) throw new Error(`${file} has no tests`);
  const all = findMutants(file, readFileSync(join(root, file), 'utf8'));
  const judged = all.filter((mutant) => !isEquivalent(decisive, mutant));
  const survivors: Mutant[] = [];
  const chosen = sample(judged, each, seed, textOf);
  for (const mutant of chosen) {
    const { failure, seconds } = await runner.run(tests, mutant, limitSeconds(unchanged.seconds));
    if (failure === undefined) survivors.push(mutant);
    const { line } = describeMutant(mutant);
    if (verbose)
      say(
        `${failure === undefined ? 'SURVIVED' : 'killed  '} ${file}:${line} (${seconds.toFixed(1)} s) ${failure ?? ''}`,
      );
  }
  const seconds = (performance.now() - start) / 1_000;
  const killed = chosen.length - survivors.length;
  return { file, mutants: all.length, killed, equivalent: all.length - judged.length, survivors, seconds };
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    each: { type: 'string', default: '12' },
    file: { type: 'string', multiple: true },
    verbose: { type: 'boolean', default: false },
  },
});
const { verbose } = values;
const seed = values.seed === undefined ? randomInt(1_000_000) : Number(values.seed);
const chosenFiles = decisiveFiles.filter(({ file }) => values.file?.includes(file) ?? true);
say(`seed ${seed}, ${values.each} mutants for each of ${chosenFiles.length} files`);
const runner = await startTestRunner(root);
const results: FileResult[] = [];
try {
  for (const decisive of chosenFiles) {
    const result = await mutateFile(runner, decisive, Number(values.each), seed);
    results.push(result);
    for (const mutant of result.survivors) say(`survived ${showMutant(mutant)}`);
  }
} finally {
  await runner.stop();
}
say(showTable(results));
say(`${(process.uptime() / 60).toFixed(1)} minutes`);
const killed = results.reduce((sum, each) => sum + each.killed, 0);
const survived = results.reduce((sum, each) => sum + each.survivors.length, 0);
process.exitCode = killed >= goal * (killed + survived) && killed > 0 ? 0 : 1;
