// Checks what a change touches, in about a minute: `npm run test:changed`, or `npm run test:changed -- main` for what
// differs from another commit. `npm test` checks everything.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseTests } from './choose-tests.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const git = (...args) =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    .stdout.split('\n')
    .filter((path) => path !== '');

/** Runs a program of node_modules and shows its output. */
function run(program, args) {
  console.log(`${program} ${args.length > 8 ? `${args.slice(0, 2).join(' ')} …` : args.join(' ')}`);
  return spawnSync(join(root, 'node_modules', '.bin', program), args, { cwd: root, stdio: 'inherit' }).status === 0;
}

const since = process.argv[2] ?? 'HEAD';
const changed = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')];
const files = changed.filter((path) => existsSync(join(root, path)));
const tests = chooseTests(changed, git('ls-files', '--cached', '--others', '--exclude-standard'));
const code = files.filter((path) => /\.(?:[cm]?js|tsx?)$/.test(path));

if (changed.length === 0) console.log(`Nothing differs from ${since}.`);
const isGood = [
  files.length === 0 || run('oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...files]),
  code.length === 0 || run('oxlint', ['--deny-warnings', ...code]),
  tests.length === 0 || run('vitest', ['run', ...tests]),
];
console.log(`${tests.length} test files of ${changed.length} changed files. Types and everything else: npm test.`);
process.exitCode = isGood.every(Boolean) ? 0 : 1;
