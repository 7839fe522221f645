import type { Pool } from '../../../platform/database/connect.ts';
import type { EngineUnavailable } from '../../../platform/listening/engine.ts';
import { watchReadiness } from '../../../platform/listening/readiness.ts';
import type { Log } from '../../../platform/log.ts';
import type { SpeechEngines } from './engines.ts';
import { prepareEngines } from './engines.ts';
import type { EngineCalls } from './engine-calls.ts';
import { createEngineCalls } from './engine-calls.ts';
import { announceEngine } from '../read/progress.ts';

/** The engines of this worker, prepared in the background. */
export interface RunningEngines {
  readonly engines: SpeechEngines;
  /** Every use of a caption engine is counted. */
  readonly calls: EngineCalls;
  readonly isReady: () => boolean;
  /** Called when an engine was unavailable: jobs wait until it is ready again. */
  readonly fail: (error: EngineUnavailable) => void;
  readonly succeed: () => void;
  stop(): Promise<void>;
}

interface ListeningOptions {
  readonly db: Pool;
  readonly log: Log;
  /** Identifies this worker to other nodes. */
  readonly node: string;
  /** Undefined if captions are switched off: then the events wait. */
  readonly engines: SpeechEngines | undefined;
  /** How many clips an engine transcribes at once. */
  readonly atOnce: number;
}

export function startEngines({ db, log, node, engines, atOnce }: ListeningOptions): RunningEngines | undefined {
  if (!engines) return undefined;
  const readiness = watchReadiness({ prepare: (signal) => prepareEngines(engines, signal), log });
  const stopAnnouncing = announceEngine(db, log, node, engines.captions, readiness);
  return {
    engines,
    calls: createEngineCalls(atOnce),
    isReady: () => readiness.state === 'ready',
    fail: (error) => readiness.fail(error),
    succeed: () => readiness.succeed(),
    async stop() {
      await stopAnnouncing();
      await readiness.close();
      await engines.close();
    },
  };
}
