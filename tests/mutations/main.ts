// Changes decisive files in small ways, one at a time, and runs the tests that cover them: a mutant that no test notices
// shows a rule that no test holds. Nothing on the disk changes.
//
//   npm run test:mutations                                   a sample of all files, with a new seed
//   npm run test:mutations -- --seed 7 --each 12             the sample of a seed, 12 mutants for each file
//   npm run test:mutations -- --file agent/src/journal.ts --each 1000      all of one file
//   npm run test:mutations -- --file agent/src/journal.ts --line 104        of one line, to see whether a new test holds it
//   npm run test:mutations -- --verbose                      also which test noticed a mutant, and after how long
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decisiveFiles } from './decisive-files.ts';
import type { MutationOptions } from './mutate-file.ts';
import { mutateFile } from './mutate-file.ts';
import type { FileResult } from './report.ts';
import { describeMutant, showMutant, showTable } from './report.ts';
import { startTestRunner } from './test-runner.ts';

/** The share of mutants that a test should notice. */
const goal = 0.85;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    each: { type: 'string', default: '12' },
    file: { type: 'string', multiple: true },
    line: { type: 'string', multiple: true },
    verbose: { type: 'boolean', default: false },
  },
});
const root = join(import.meta.dirname, '../..');
const seed = Number(values.seed ?? randomInt(1_000_000));
const each = Number(values.each);
const lines = values.line?.map(Number);
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const unknown = values.file?.find((path) => !decisiveFiles.some(({ file }) => file === path));
if (unknown !== undefined) throw new Error(`${unknown} is not in decisive-files.ts`);
const files = decisiveFiles.filter(({ file }) => values.file?.includes(file) ?? true);
say(`seed ${seed}, at most ${each} mutants for each of ${files.length} files`);

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
const runner = await startTestRunner(root, stop.signal);
const onMutant: MutationOptions['onMutant'] = (mutant, failure, seconds) => {
  if (failure === undefined) say(`survived ${showMutant(mutant)}`);
  else if (values.verbose)
    say(`killed after ${seconds.toFixed(1)} s ${mutant.file}:${describeMutant(mutant).line} by ${failure}`);
};
const results: FileResult[] = [];
let isWhole = true;
try {
  for (const decisive of files) {
    try {
      results.push(await mutateFile({ root, runner, seed, each, lines, onMutant }, decisive));
    } catch (error) {
      stop.signal.throwIfAborted();
      isWhole = false;
      say((error as Error).message);
    }
  }
} finally {
  await runner.stop();
  say(showTable(results));
  say(`${(process.uptime() / 60).toFixed(1)} minutes`);
}
const killed = results.reduce((sum, result) => sum + result.killed, 0);
const survived = results.reduce((sum, result) => sum + result.survivors.length, 0);
process.exitCode = isWhole && killed > 0 && killed >= goal * (killed + survived) ? 0 : 1;
