// Runs every check and test, also on a new machine. The last line is `N passed, N failed`. `npm test` runs all of them
// in some minutes; `npm run test:long` runs the long ones: chaos, millions of rows.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provideChromium, provideFfmpeg, provideObjectStore, provideSpeech } from './debian-packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const long = process.argv.includes('--long');

let passed = 0;
let failed = 0;

function count(name, isGood) {
  if (isGood) passed += 1;
  else failed += 1;
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${name}`);
}

/** Runs a program from node_modules/.bin, or node, and shows its output. */
function run(program, args, environment = {}) {
  const path = program === 'node' ? process.execPath : join(root, 'node_modules', '.bin', program);
  const { status } = spawnSync(path, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } });
  return status === 0;
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

count('build', run('node', ['scripts/build.mjs']));
if (!long) {
  count('types', run('node', ['scripts/typecheck.mjs']));
  count('lint and import directions', run('oxlint', ['--type-aware', '--deny-warnings']));
  count(
    'imports between features',
    run('node', ['scripts/check-imports.mjs', 'server/src/features', 'console/src/features']),
  );
  count(
    'exported names',
    run('node', ['scripts/check-exports.mjs', 'contract/src', 'server/src', 'client/src', 'console/src']),
  );
  count('format', run('oxfmt', ['--check']));
}
provideChromium();
provideObjectStore();
provideFfmpeg();
provideSpeech();
runTests();

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
