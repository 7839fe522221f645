// Which test files belong to changed files, by their place: imports say little here, because most tests start a whole server.
import { dirname, join } from 'node:path';

const isTest = (path) => path.endsWith('.test.ts') && !path.endsWith('.long.test.ts');
const stemOf = (path) => path.replace(/(?:\.test)?\.[a-z]+$/, '');

/** What one change should not run by itself: minutes of browsers, processes and media. */
const slow = /^tests\/(?:browser|process|wire|access|contention|upgrade)\//;

/** A changed test; the test beside a changed file; else those of its folder, or of the nearest one above that has some. */
export function chooseTests(changed, all) {
  const tests = all.filter(isTest);
  const chosen = new Set(changed.flatMap((path) => testsOf(path, tests)));
  return tests.filter((test) => chosen.has(test));
}

function testsOf(path, tests) {
  if (isTest(path)) return tests.includes(path) ? [path] : [];
  const beside = tests.filter((test) => stemOf(test) === stemOf(path));
  if (beside.length > 0) return beside;
  // Documents are checked as a whole.
  if (path.endsWith('.md')) return tests.filter((test) => test.startsWith('tests/docs/'));
  for (let folder = dirname(path); folder.includes('/'); folder = dirname(folder)) {
    const near = tests.filter((test) => isIn(test, folder) && !slow.test(test));
    if (near.length > 0) return near;
  }
  return [];
}

/** Directly in the folder, or in its folder `tests`. */
const isIn = (test, folder) => dirname(test) === folder || dirname(test) === join(folder, 'tests');
