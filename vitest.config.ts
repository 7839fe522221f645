import { defineConfig } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { testMs, waitMs } from './server/src/testing/limits.ts';

/** What takes minutes or much processor time, the longest first. */
const longest = [
  'tests/browser/pages.test.ts',
  'server/src/platform/media/tests/join.test.ts',
  'server/src/platform/media/tests/join-copy.test.ts',
  'server/src/features/event/tests/takers.test.ts',
  'server/src/platform/listening/embedded-engine.test.ts',
  'server/src/platform/listening/embedded-speech.test.ts',
  'tests/browser/many-tags.test.ts',
  'tests/process/crash.test.ts',
  'tests/process/start.test.ts',
  'tests/wire/fuzz.test.ts',
  'tests/contention/contention.test.ts',
  'tests/browser/long-transcript.test.ts',
  'tests/browser/review.test.ts',
  'tests/browser/record.test.ts',
  'tests/browser/clips.test.ts',
  'tests/process/full-disk.test.ts',
  'server/src/platform/media/tests/hostile.test.ts',
  'server/src/features/audio-clip/tests/plans.test.ts',
  'tests/browser/radio.test.ts',
  'tests/browser/find-and-listen.test.ts',
  'tests/browser/upload.test.ts',
  'tests/browser/read-only.test.ts',
  'server/src/features/live/tests/ending.test.ts',
  'tests/generated-clients.test.ts',
];

/**
 * The long files begin early, or one worker would end alone with one. Between them stand two short ones: the long need
 * a processor, the short mostly wait for something, and side by side they keep every processor busy.
 */
class LongAmongShort extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => longest.findIndex((path) => moduleId.endsWith(path));
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
    // More than there are processors on a small machine: many tests wait for something.
    maxWorkers: 4,
    // Fewer collections of garbage, which take a twentieth of the processor time with the default of 16.
    execArgv: ['--max-semi-space-size=32'],
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
