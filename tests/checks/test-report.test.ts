import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readReport } from '../../scripts/test-report.mjs';
import { repository } from '../process/server-process.ts';

/* What `npm test` says of skipped tests, from a report that vitest really writes on a machine without any program. */

const imports = `import { needs } from ${JSON.stringify(join(repository, 'server/src/testing/needs.ts'))};
import { beforeAll, describe, expect, test } from 'vitest';
`;
const files = {
  'parts.test.ts': `${imports}
    describe('the console', needs('chromium'), () => {
      beforeAll(() => { throw new Error('there is no browser'); });
      test('shows a page', () => {});
      describe('of devices', () => { test('shows a device', () => {}); });
    });
    test.each([1, 2])('%i files are joined', needs('ffmpeg'), () => {});
    test('a full disk', needs('chromium', 'mounts'), () => {});
    test('adds', () => expect(1 + 1).toBe(2));`,
  'reasons.test.ts': `${imports}
    test.skip('waits', () => {});
    test.todo('is written later');
    test('skips itself', ({ skip }) => skip('not today'));`,
  'loading.test.ts': `throw new Error('this file does not load');`,
  'hook.test.ts': `${imports}
    beforeAll(() => { throw new Error('the server does not start'); });
    test('asks the server', () => {});`,
  'warning.test.ts': `${imports}
    import { EventEmitter } from 'node:events';
    import { setImmediate } from 'node:timers/promises';
    test('listens too often', async () => {
      const emitter = new EventEmitter();
      for (let count = 0; count < 11; count += 1) emitter.on('end', () => {});
      await setImmediate();
    });
    test('uses what is experimental', async () => {
      process.emitWarning('It may change', 'ExperimentalWarning');
      await setImmediate();
    });`,
  'program.test.ts': `${imports}
    import { execFileSync } from 'node:child_process';
    const run = (name) => execFileSync(process.execPath, ['--eval', \`process.emitWarning('A file was left open', '\${name}')\`]);
    test('starts a program that warns', () => void run('Warning'));
    test('starts a program that uses what is experimental', () => void run('ExperimentalWarning'));`,
  'wrong.test.ts': `${imports}
    test('adds', () => expect(1 + 1).toBe(3));`,
};

let root: string;
let report: { testResults: { name: string }[] };
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'earshot-report-'));
  await symlink(join(repository, 'node_modules'), join(root, 'node_modules'));
  await mkdir(join(root, 'empty'));
  const setupFiles = [join(repository, 'server/src/testing/warnings.ts')];
  await writeFile(join(root, 'vitest.config.mjs'), `export default ${JSON.stringify({ test: { setupFiles } })};`);
  for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content);
  const path = join(root, 'report.json');
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--root', root, '--no-isolate', '--reporter=json', `--outputFile=${path}`];
  // Its warnings are not those of this test.
  const env = { ...process.env, PATH: join(root, 'empty'), NODE_REDIRECT_WARNINGS: undefined };
  spawnSync(process.execPath, args, { cwd: root, env });
  report = JSON.parse(await readFile(path, 'utf8')) as typeof report;
});
afterAll(() => rm(root, { recursive: true, force: true }));

function readFiles(names: readonly (keyof typeof files)[], isCI: boolean): ReturnType<typeof readReport> {
  const testResults = report.testResults.filter(({ name }) => names.some((file) => name.endsWith(`/${file}`)));
  expect(testResults).toHaveLength(names.length);
  return readReport({ testResults }, { isCI, root });
}

test('a test that is skipped without a part is a failure in CI, and a line for a person', () => {
  const lines = [
    'browser tests (2): chromium is missing. Install it with `apt-get install chromium-headless-shell`.',
    'tests with encoded sound (2): ffmpeg is missing. Install it with `apt-get install ffmpeg`.',
  ];
  const mounts = 'Skipped: tests with a small disk (1): this machine does not permit mounts.';
  expect(readFiles(['parts.test.ts'], true)).toEqual({
    passed: 1,
    failed: 4,
    skipped: 5,
    lines: [...lines.map((line) => `FAIL ${line}`), mounts],
  });
  expect(readFiles(['parts.test.ts'], false)).toEqual({
    passed: 1,
    failed: 0,
    skipped: 5,
    lines: [...lines.map((line) => `Skipped: ${line}`), mounts],
  });
});

test('a test that is skipped without a reason is a failure in CI', () => {
  const lines = ['waits', 'is written later', 'skips itself'].map(
    (name) => `reasons.test.ts: ${name}: skipped, but names no missing part`,
  );
  expect(readFiles(['reasons.test.ts'], true)).toEqual({
    passed: 0,
    failed: 3,
    skipped: 3,
    lines: lines.map((line) => `FAIL ${line}`),
  });
  expect(readFiles(['reasons.test.ts'], false)).toMatchObject({
    failed: 0,
    lines: lines.map((line) => `Skipped: ${line}`),
  });
});

test('files that do not load, and tests that never ran because a hook failed, are failures everywhere', () => {
  const { lines, ...counts } = readFiles(['loading.test.ts', 'hook.test.ts', 'wrong.test.ts'], false);
  expect(counts).toEqual({ passed: 0, failed: 4, skipped: 1 });
  expect(lines.toSorted()).toEqual([
    'FAIL hook.test.ts: asks the server: did not run',
    'FAIL hook.test.ts: the server does not start',
    'FAIL loading.test.ts: this file does not load',
  ]);
});

test('a warning of a program that a test starts fails its file', () => {
  const { lines, ...counts } = readFiles(['program.test.ts'], false);
  expect(counts).toEqual({ passed: 2, failed: 1, skipped: 0 });
  expect(lines).toEqual([
    expect.stringMatching(/^FAIL program.test.ts: Node warned: \(node:\d+\) Warning: A file was left open$/),
  ]);
});

test('a warning of Node fails the file during which it comes', () => {
  const { lines, ...counts } = readFiles(['warning.test.ts'], false);
  expect(counts).toEqual({ passed: 2, failed: 1, skipped: 0 });
  expect(lines).toEqual([
    expect.stringMatching(/^FAIL warning.test.ts: Node warned: Possible EventEmitter memory leak .* 11 end listeners/),
  ]);
});

test('a run without a test is a failure', () => {
  expect(readReport({ testResults: [] }, { isCI: false, root })).toMatchObject({ failed: 1, skipped: 0 });
});
