// Runs every check and test, also on a new machine. The last line is `N passed, N failed`. `npm test` runs all of them
// in some minutes; `npm run test:long` runs the long ones: chaos, millions of rows.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { providePackages } from './debian-packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const long = process.argv.includes('--long');

let passed = 0;
let failed = 0;

function count(name, isGood) {
  if (isGood) passed += 1;
  else failed += 1;
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${name}`);
}

/** A program from node_modules/.bin, or node. */
const pathOf = (program) => (program === 'node' ? process.execPath : join(root, 'node_modules', '.bin', program));

/** Runs a program and shows its output. */
function run(program, args) {
  return spawnSync(pathOf(program), args, { cwd: root, stdio: 'inherit' }).status === 0;
}

/** On a small machine the checks that run beside each other have one processor each; with more threads they take more. */
const threads = availableParallelism() < 4 ? { GOMAXPROCS: '1' } : {};

/** Runs a program beside others. Its output is returned, so that it is shown in one piece. */
async function runBeside(program, args) {
  const env = { ...process.env, ...threads };
  const child = spawn(pathOf(program), args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  try {
    const [status] = await once(child, 'close');
    return { isGood: status === 0, output };
  } catch (error) {
    return { isGood: false, output: `${error.message}\n` };
  }
}

function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-check-'));
  const report = join(folder, 'report.json');
  try {
    const config = long ? ['--config', 'vitest.long.config.ts'] : [];
    const good = run('vitest', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...config,
    ]);
    const { numPassedTests, numFailedTests, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'));
    passed += numPassedTests;
    failed += numFailedTests;
    // A file that fails to load has no failed test to count.
    if (!good && numFailedTests === 0) failed += 1;
    if (numTotalTests === 0) failed += 1;
  } catch (error) {
    console.log(`FAIL the tests did not run: ${error.message}`);
    failed += 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const build = ['build', 'node', ['scripts/build.mjs']];
const features = ['server/src/features', 'console/src/features'];
const sources = ['contract/src', 'server/src', 'client/src', 'agent/src', 'cli/src', 'console/src', 'demo', 'training'];
// Most of them use one processor.
const checks = [
  build,
  ['types', 'node', ['scripts/typecheck.mjs']],
  ['lint and import directions', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['imports between features', 'node', ['scripts/check-imports.mjs', ...features]],
  ['exported names', 'node', ['scripts/check-exports.mjs', ...sources]],
  ['format', 'oxfmt', ['--check']],
];

const packages = providePackages();
const running = (long ? [build] : checks).map(([name, program, args]) => ({ name, end: runBeside(program, args) }));
for (const { name, end } of running) {
  const { isGood, output } = await end;
  process.stdout.write(output);
  count(name, isGood);
}
await packages;
runTests();

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
