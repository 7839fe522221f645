/*
 * The files that `npm run test:mutations` mutates: at most 25, those that decide. Each names the tests that cover it, the
 * quickest first, because the first failure ends a run. A test in a process of its own does not see a mutant.
 */

export interface DecisiveFile {
  readonly file: string;
  readonly tests: readonly string[];
  readonly equivalents?: readonly Equivalent[];
}

/** A mutant that changes nothing that anybody can notice. */
export interface Equivalent {
  /** The line that is mutated, without the space around it. */
  readonly line: string;
  /** That line in the mutant. Without it, all mutants of the line. */
  readonly becomes?: string;
  readonly because: string;
}

const agent = (file: string, tests: readonly string[], equivalents: readonly Equivalent[] = []): DecisiveFile => ({
  file: `agent/src/${file}.ts`,
  tests: tests.map((test) => `agent/src/${test}.test.ts`),
  equivalents,
});

const feature = (
  folder: string,
  file: string,
  tests: readonly string[],
  equivalents: readonly Equivalent[] = [],
): DecisiveFile => ({
  file: `server/src/features/${folder}/${file}.ts`,
  tests: tests.map((test) =>
    test.startsWith('tests/') ? `${test}.test.ts` : `server/src/features/${folder}/tests/${test}.test.ts`,
  ),
  equivalents,
});

export const decisiveFiles: readonly DecisiveFile[] = [
  agent('voice-gate', ['voice-gate', 'voice-filter']),
  agent('journal', ['journal-facts', 'journal']),
  agent(
    'journal-state',
    ['journal-facts', 'journal', 'folder'],
    [
      {
        line: 'if (this.#byContent.get(key) === id) this.#byContent.delete(key);',
        because: 'An index of bytes that are gone is harmless: findSame compares the hash. Deleting it saves memory.',
      },
      {
        line: "`${sha256?.slice(0, 16) ?? ''}-${givenStartMs}-${call?.talkgroup ?? ''}`;",
        becomes: "`${sha256?.slice(1, 16) ?? ''}-${givenStartMs}-${call?.talkgroup ?? ''}`;",
        because: 'Any part of the hash does.',
      },
      {
        line: "`${sha256?.slice(0, 16) ?? ''}-${givenStartMs}-${call?.talkgroup ?? ''}`;",
        becomes: "`${sha256?.slice(0, 17) ?? ''}-${givenStartMs}-${call?.talkgroup ?? ''}`;",
        because: 'Any part of the hash does.',
      },
      {
        line: "`${sha256?.slice(0, 16) ?? ''}-${givenStartMs}-${call?.talkgroup ?? ''}`;",
        becomes: "`${sha256?.slice(0, 480) ?? ''}-${givenStartMs}-${call?.talkgroup ?? ''}`;",
        because: 'Any part of the hash does.',
      },
    ],
  ),
  agent('folder', ['folder-looks', 'folder']),
  agent(
    'transfer',
    ['transfer'],
    [
      {
        line: "error instanceof ApiError && (error.problem?.errors ?? []).some(({ path }) => path === 'upload-metadata.grownFrom');",
        becomes: "(error.problem?.errors ?? []).some(({ path }) => path === 'upload-metadata.grownFrom');",
        because: 'No other error has a problem.',
      },
    ],
  ),
  agent('upload-queue', ['upload-outcomes', 'upload-queue']),
  agent(
    'clip-writer',
    ['clip-times', 'clip-writer'],
    [
      {
        line: 'return new Set((await readdir(folder)).filter((name) => /^\\d+-\\d+\\.(part|wav)$/.test(name)).sort());',
        becomes: 'return new Set((await readdir(folder)).filter((name) => /^\\d+-\\d+\\.(part|wav)$/.test(name)));',
        because: 'Node sorts the names today, but does not promise it.',
      },
    ],
  ),
  agent('connection/judge-answer', ['connection/judge-answer', 'connection/trouble']),
  {
    file: 'client/src/call-retries.ts',
    tests: ['client/src/call-delays.test.ts', 'client/src/call-retries.test.ts'],
    equivalents: [
      {
        line: 'if (error instanceof ApiError && error.status === 429) return true;',
        becomes: 'if (error.status === 429) return true;',
        because: 'No other error has a status.',
      },
    ],
  },
  {
    file: 'client/src/upload.ts',
    tests: ['client/src/upload.test.ts', 'client/src/hostile-answers.test.ts'],
    equivalents: [
      {
        line: 'error instanceof ApiError && statuses.includes(error.status);',
        becomes: 'statuses.includes(error.status);',
        because: 'No other error has a status.',
      },
    ],
  },
  {
    file: 'console/src/lib/query.ts',
    tests: ['console/src/lib/query.test.ts', 'console/src/lib/query-failures.test.ts'],
  },
  {
    file: 'console/src/lib/retry-timer.ts',
    tests: ['console/src/lib/retry-timer.test.ts'],
  },
  {
    file: 'server/src/platform/limiter.ts',
    tests: ['server/src/platform/limiter-room.test.ts', 'server/src/platform/limiter.test.ts'],
  },
  {
    file: 'server/src/platform/patch.ts',
    tests: ['server/src/platform/patch-operations.test.ts', 'server/src/platform/patch.test.ts'],
    equivalents: [
      {
        line: 'if (isGiven) values.set(target, moved);',
        becomes: 'if (true) values.set(target, moved);',
        because: 'The value is undefined then, which is validated like a missing one.',
      },
      {
        line: "const fromMay = op === 'move' ? 'write' : op === 'copy' ? 'read' : 'ignore';",
        becomes: "const fromMay = op === 'move' ? 'write' : op === 'copy' ? 'read' : '';",
        because: 'Only `read` and `write` are compared.',
      },
      {
        line: 'const { newDocument } = applyOperation({ ...target }, operation as FastOperation, true, true, true);',
        becomes:
          'const { newDocument } = applyOperation({ ...target }, operation as FastOperation, true, false, true);',
        because: 'The record is a copy already; then it is copied once more.',
      },
    ],
  },
  {
    file: 'server/src/platform/outbound/address.ts',
    tests: ['server/src/platform/outbound/address.test.ts'],
  },
  feature('rollout', 'plan', ['plan-reasons', 'plan']),
  feature('rollout', 'rules', ['rollout']),
  feature('event', 'rules', ['holder', 'reports', 'life', 'enqueue', 'one-agent']),
  feature('event', 'transition/report-queries', ['holder', 'reports', 'life', 'leases', 'worker']),
  feature('event', 'take/queries', ['life', 'one-agent', 'leases']),
  {
    file: 'server/src/access.ts',
    tests: [
      'tests/access/sharing-files-and-people.test.ts',
      'tests/access/rights.test.ts',
      'tests/access/sharing.test.ts',
      'tests/access/sharing-bookmarks.test.ts',
    ],
  },
  feature('audio-clip', 'change', ['change', 'announce']),
  feature('audio-clip', 'times', ['time-rules', 'times']),
  feature('upload', 'receive', ['refusals', 'uploads', 'wrong-sizes']),
];
