// Reads vitest's JSON report: what passed, what failed, and why each skipped test was skipped.
import { relative } from 'node:path';
import { abilities, parts } from './parts.mjs';

/**
 * Counts the tests, and explains in lines what vitest does not. In CI a test may be skipped only because the machine lacks
 * an ability; on a person's machine also because a part is not installed.
 */
export function readReport({ testResults }, { isCI, root }) {
  const tests = testResults.flatMap(({ name, status, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: relative(root, name), isFileBroken: status === 'failed' })),
  );
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const failed = tests.filter(({ status }) => status === 'failed').length;
  const rest = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
  const findings = [...findBrokenFiles(testResults, root), ...explainRest(rest, isCI)];
  if (tests.length === 0) findings.push({ failed: 1, text: 'there are no tests' });
  return {
    passed,
    failed: failed + findings.reduce((sum, finding) => sum + finding.failed, 0),
    skipped: rest.length,
    lines: findings.map(({ failed: count, text }) => `${count > 0 ? 'FAIL' : 'Skipped:'} ${text}`),
  };
}

/** A file that does not load, or whose hooks fail, has no failed test to count. */
function findBrokenFiles(testResults, root) {
  return testResults
    .filter(({ status, assertionResults }) => {
      return status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
    })
    .map(({ name, message }) => {
      const [reason] = (message || 'its error is above').split('\n');
      return { failed: 1, text: `${relative(root, name)}: ${reason}` };
    });
}

function explainRest(rest, isCI) {
  const findings = [];
  const countBy = new Map();
  for (const test of rest) {
    const reason = reasonOf(test);
    if (reason !== undefined) countBy.set(reason, (countBy.get(reason) ?? 0) + 1);
    else if (test.isFileBroken) findings.push({ failed: 1, text: `${test.file}: ${test.fullName}: did not run` });
    else {
      const text = `${test.file}: ${test.fullName}: skipped, but names no missing part`;
      findings.push({ failed: isCI ? 1 : 0, text });
    }
  }
  for (const [reason, count] of countBy) {
    findings.push({ failed: isCI && reason in parts ? count : 0, text: describe(reason, count) });
  }
  return findings;
}

/** A machine that lacks an ability could not use an installed part either. */
function reasonOf({ meta }) {
  const missing = meta?.missing ?? [];
  return missing.find((name) => name in abilities) ?? missing.find((name) => name in parts);
}

function describe(name, count) {
  if (name in abilities) return `${abilities[name].tests} (${count}): ${abilities[name].without}.`;
  const { tests, packages } = parts[name];
  return `${tests} (${count}): ${name} is missing. Install it with \`apt-get install ${packages.join(' ')}\`.`;
}
