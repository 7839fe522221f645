import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { longestTests } from './scripts/longest-tests.mjs';
import { testMs, waitMs } from './server/src/testing/limits.ts';

/**
 * The long files begin early, or one worker would end alone with one. Between them stand two short ones: the long need
 * a processor, the short mostly wait for something, and side by side they keep every processor busy.
 */
class LongAmongShort extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => longestTests.findIndex((path) => moduleId.endsWith(path));
    const usual = await BaseSequencer.prototype.sort.call(this, files);
    const long = usual.filter((file) => rank(file) >= 0).toSorted((a, b) => rank(a) - rank(b));
    const short = usual.filter((file) => rank(file) < 0);
    return [...long.flatMap((file, place) => [file, ...short.splice(0, place === 0 ? 0 : 2)]), ...short];
  }
}

export default defineConfig({
  test: {
    include: ['{contract,server,client,agent,cli,console,demo,training,tests,bench}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts'],
    globalSetup: ['server/src/testing/global-setup.ts'],
    setupFiles: ['server/src/testing/costs.ts', 'server/src/testing/warnings.ts', 'server/src/testing/waits.ts'],
    testTimeout: testMs,
    hookTimeout: testMs,
    expect: { poll: { timeout: waitMs } },
    // More than there are processors, because many tests wait for something; each takes up to 700 MB with its programs.
    maxWorkers: Math.min(8, 3 * availableParallelism()),
    // A worker lives for minutes and mostly waits. By default a third of its processor time goes to threads of V8: they
    // collect garbage while it waits and long before memory is short, and optimise functions that run a few times.
    execArgv: [
      '--min-semi-space-size=16',
      '--max-semi-space-size=32',
      '--initial-old-space-size=400',
      '--no-memory-reducer',
      '--interrupt-budget=270000',
    ],
    // Modules stay loaded from one file to the next, which saves a fifth of the time; so does the server of
    // sharedTestServer, which this environment stops when a worker ends.
    isolate: false,
    environment: './server/src/testing/environment.ts',
    sequence: { sequencer: LongAmongShort },
    server: { deps: { inline: [/@earshot\//] } },
    // `npm run coverage`, see docs/coverage.md. Code that runs in a child process is not measured.
    coverage: {
      provider: 'v8',
      include: ['{server,contract,client}/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/testing/**'],
      reporter: ['text-summary', 'json-summary', 'html'],
      reportOnFailure: true,
    },
  },
});
