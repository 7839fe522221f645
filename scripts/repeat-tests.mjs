// Repeats test files on a busy machine, to find tests that depend on its speed or on what ran before:
//
//   npm run test:repeat                                  the longest files, five times each, under a load of four
//   npm run test:repeat -- --times 20 --load 0 tests/wire/races.test.ts
//
// A file at a time. The last line is `N runs passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { longestTests } from './longest-tests.mjs';
import { runVitest } from './run-vitest.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '5' }, load: { type: 'string', default: '4' } },
});
const times = Number(values.times);
const files = positionals.length > 0 ? positionals : longestTests;

/** Computes until its standard input ends, so that none outlives this process. */
const compute = `
  process.stdin.on('end', () => process.exit()).resume();
  setInterval(() => { for (const endMs = Date.now() + 50; Date.now() < endMs;); }, 0);`;
const busy = Array.from({ length: Number(values.load) }, () =>
  spawn(process.execPath, ['--eval', compute], { stdio: ['pipe', 'ignore', 'ignore'] }),
);

/** The names of the tests that failed, or what else was wrong. */
async function runOnce(file, report) {
  const isGood = await runVitest(['--reporter=json', `--outputFile.json=${report}`, file], root);
  if (isGood) return [];
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed'),
  );
  return failed.length > 0 ? failed.map(({ fullName }) => fullName) : ['a hook, or an error outside of all tests'];
}

const folder = mkdtempSync(join(tmpdir(), 'earshot-repeat-'));
let passed = 0;
let failed = 0;
try {
  for (const file of files) {
    const failures = [];
    const startMs = Date.now();
    for (let time = 1; time <= times; time += 1) {
      const names = await runOnce(file, join(folder, 'report.json')).catch((error) => [error.message]);
      if (names.length === 0) passed += 1;
      else failed += 1;
      failures.push(...names.map((name) => `  run ${time}: ${name}`));
    }
    const seconds = Math.round((Date.now() - startMs) / 1_000 / times);
    console.log(`${failures.length === 0 ? 'ok  ' : 'FAIL'} ${file}: ${times} times, ${seconds} s each`);
    for (const line of failures) console.log(line);
  }
} finally {
  for (const program of busy) program.kill();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} runs passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
