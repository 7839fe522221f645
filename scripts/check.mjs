// Runs every check and test, also on a new machine. The last line is `N passed, N failed`. `npm test` runs all of them
// in some minutes; `npm run test:long` runs the long ones: chaos, millions of rows. With paths (`npm test -- tests/wire`)
// it runs only the tests of these files. With CI=true, a test that is skipped without a part is a failure. With `--costs`
// it says where the processor time goes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { providePackages } from './debian-packages.mjs';
import { runVitest } from './run-vitest.mjs';
import { readCosts } from './test-costs.mjs';
import { readReport } from './test-report.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const long = process.argv.includes('--long');
const showsCosts = process.argv.includes('--costs');
const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isCI = process.env.CI === 'true';

let passed = 0;
let failed = 0;
let skipped = 0;

function count(name, isGood) {
  if (isGood) passed += 1;
  else failed += 1;
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${name}`);
}

/** A program from node_modules/.bin, or node. */
const pathOf = (program) => (program === 'node' ? process.execPath : join(root, 'node_modules', '.bin', program));

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

async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-check-'));
  const report = join(folder, 'report.json');
  const costs = join(folder, 'costs');
  if (showsCosts) process.env.EARSHOT_TEST_COSTS = costs;
  try {
    const config = long ? ['--config', 'vitest.long.config.ts'] : [];
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const good = await runVitest([...reporters, ...config, ...paths], root);
    const result = readReport(JSON.parse(readFileSync(report, 'utf8')), { isCI, root });
    passed += result.passed;
    failed += result.failed;
    skipped += result.skipped;
    for (const line of result.lines) console.log(line);
    if (showsCosts) for (const line of readCosts(costs, root)) console.log(line);
    if (!good && result.failed === 0) count('an error outside of all tests, see above', false);
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
  ['places of SQL', 'node', ['scripts/check-sql.mjs', 'server/src/features']],
  ['exported names', 'node', ['scripts/check-exports.mjs', ...sources]],
  ['format', 'oxfmt', ['--check']],
];

const packages = providePackages({ isLong: long });
const running = (long || paths.length > 0 ? [build] : checks).map(([name, program, args]) => ({
  name,
  end: runBeside(program, args),
}));
for (const { name, end } of running) {
  const { isGood, output } = await end;
  process.stdout.write(output);
  count(name, isGood);
}
const missing = await packages;
if (isCI && missing.length > 0) count(`installation of ${missing.join(' ')}`, false);
await runTests();

console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
