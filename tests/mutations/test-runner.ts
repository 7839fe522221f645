import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Plugin } from 'vite';
import type { PoolOptions, Reporter, TestModule, TestSpecification } from 'vitest/node';
import { createVitest, ForksPoolWorker } from 'vitest/node';
import type { Mutant } from './find-mutants.ts';
import { applyMutant } from './find-mutants.ts';

export interface TestRun {
  /** What failed first, if anything did. */
  readonly failure: string | undefined;
  readonly testCount: number;
  readonly seconds: number;
}

/** Runs the same tests again and again, with one mutant or none, in one Vitest with one PostgreSQL. */
export interface TestRunner {
  run(testFiles: readonly string[], mutant: Mutant | undefined, limitSeconds: number): Promise<TestRun>;
  stop(): Promise<void>;
}

/** A mutant may wait for ever where the code waits for moments. */
const testLimitMs = 40_000;
const pollLimitMs = 15_000;

/** When the signal aborts, the current run ends early, and so does every later one. */
export async function startTestRunner(root: string, signal: AbortSignal): Promise<TestRunner> {
  const source = createMutatedSource(root);
  const judge = createJudge();
  const workers = new Set<ForksPoolWorker>();
  const vitest = await createVitest(
    'test',
    {
      root,
      watch: false,
      bail: 1,
      // All files of a run share the modules of one worker, and with them the mutant and the server.
      maxWorkers: 1,
      pool: { name: poolName, createPoolWorker: (options) => new OwnedWorker(options, workers) },
      sequence: { sequencer: GivenOrder },
      testTimeout: testLimitMs,
      hookTimeout: testLimitMs,
      expect: { poll: { timeout: pollLimitMs } },
      reporters: [judge.reporter],
      silent: true,
    },
    { plugins: [source.plugin] },
    // What a mutant writes to its output says nothing.
    { stdout: createSink(), stderr: createSink() },
  );
  const stopWorkers = () => {
    for (const worker of workers) void worker.stop();
  };
  signal.addEventListener('abort', stopWorkers);
  const project = vitest.getRootProject();
  return {
    async run(testFiles, mutant, limitSeconds) {
      signal.throwIfAborted();
      const start = performance.now();
      const changed = source.set(mutant);
      for (const path of changed) vitest.invalidateFile(path);
      judge.begin();
      let isEndless = false;
      const limit = setTimeout(() => {
        isEndless = true;
        stopWorkers();
      }, limitSeconds * 1_000);
      await vitest.runTestSpecifications(testFiles.map((path) => project.createSpecification(join(root, path))));
      clearTimeout(limit);
      signal.throwIfAborted();
      const { failure, testCount } = judge.end();
      const seconds = (performance.now() - start) / 1_000;
      return { failure: isEndless ? `no end within ${limitSeconds} s` : failure, testCount, seconds };
    },
    async stop() {
      await vitest.close();
      // Failed tests are what a mutant is for.
      process.exitCode = 0;
    },
  };
}

const createSink = () => new Writable({ write: (_chunk, _encoding, done) => done() });

const poolName = 'mutants';

/** A worker that can be stopped while it is caught in a loop. */
class OwnedWorker extends ForksPoolWorker {
  override readonly name: string = poolName;
  readonly #running: Set<ForksPoolWorker>;

  constructor(options: PoolOptions, running: Set<ForksPoolWorker>) {
    super(options);
    this.#running = running;
  }

  override async start(): Promise<void> {
    this.#running.add(this);
    await super.start();
  }

  override async stop(): Promise<void> {
    if (this.#running.delete(this)) await super.stop();
  }
}

/** The list names the quickest tests first. */
class GivenOrder {
  async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }

  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

/** Gives Vite the mutated text of one file. Nothing is written to the disk. */
function createMutatedSource(root: string) {
  let current: Mutant | undefined;
  const plugin: Plugin = {
    name: 'mutant',
    enforce: 'pre',
    load(id) {
      return current && id === join(root, current.file) ? applyMutant(current) : null;
    },
  };
  return {
    plugin,
    /** Returns the paths whose text changes. */
    set(mutant: Mutant | undefined): string[] {
      const changed = [current, mutant].flatMap((each) => (each ? [join(root, each.file)] : []));
      current = mutant;
      return changed;
    },
  };
}

/** Notes the first failure of a run. */
function createJudge() {
  let failure: string | undefined;
  let testCount = 0;
  const reporter: Reporter = {
    onTestCaseResult(test) {
      const { state } = test.result();
      if (state !== 'skipped') testCount += 1;
      if (state === 'failed') failure ??= `${test.module.relativeModuleId}: ${test.fullName}`;
    },
    onTestModuleEnd(module: TestModule) {
      const [error] = module.errors();
      if (error) failure ??= `${module.relativeModuleId}: ${error.message}`;
    },
    onTestRunEnd(_modules, [error]) {
      if (error) failure ??= error.message;
    },
  };
  return {
    reporter,
    begin() {
      failure = undefined;
      testCount = 0;
    },
    end: () => ({ failure, testCount }),
  };
}
