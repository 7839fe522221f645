import { createLimiter } from '../../../platform/limiter.ts';
import type { Captions, Listening } from '../../../platform/listening/engine.ts';
import { EngineUnavailable, ListeningFailed, sampleRate } from '../../../platform/listening/engine.ts';
import { MediaError } from '../../../platform/media/media-error.ts';
import type { SharedMedia } from '../../../platform/media/limited-media.ts';
import { Refusal } from '../../../errors.ts';
import type { CaptionConfig } from './engines.ts';
import { usableEngines } from './engines.ts';
import type { RunningEngines } from './running-engines.ts';

/** Transcribes sound that is not stored. */
export interface Transcriber {
  /** The engines that a request may name. */
  readonly engines: readonly string[];
  /** Waits for the owner's turn. An undefined engine is the default one. Ends when the signal aborts. */
  transcribe(request: TranscriptionRequest): Promise<Captions>;
}

export interface TranscriptionRequest extends Pick<Listening, 'signal' | 'prompt' | 'onPart'> {
  readonly path: string;
  readonly ownerID: number;
  readonly engine: string | undefined;
}

export interface TranscriberParts {
  readonly media: SharedMedia;
  /** Undefined if captions are switched off, and on a node that runs no jobs. */
  readonly listening: RunningEngines | undefined;
  readonly config: CaptionConfig;
}

const unavailable = (detail: string) => new Refusal('unavailable', detail, { headers: { 'retry-after': '30' } });

/**
 * Owners take turns, one request of each at a time. Within the engine, these requests and the clips of the queue take
 * turns in the order in which they arrive.
 */
export function createTranscriber({ media, listening, config }: TranscriberParts): Transcriber {
  const limiter = createLimiter({
    atOnce: config.atOnce,
    perOwner: 1,
    waiting: 64,
    waitingPerOwner: 8,
    refuse: (why) =>
      new Refusal(why === 'owner' ? 'tooMany' : 'unavailable', 'Too many transcriptions are waiting; retry later.', {
        headers: { 'retry-after': '30' },
      }),
  });
  return {
    engines: usableEngines(config),
    async transcribe({ path, ownerID, engine: kind, signal, ...asked }) {
      if (!listening) throw unavailable('This server does not transcribe: captions are switched off on this node.');
      if (!listening.isReady()) throw unavailable('The transcription engine is not ready yet; retry later.');
      const engine = kind === undefined ? listening.engines.captions : listening.engines.findEngine(kind);
      if (!engine) throw unavailable(`The engine ${kind} is not configured on this server.`);
      const open = () => media.decode(path, { sampleRate, channels: 1, signal });
      try {
        return await limiter.run(
          ownerID,
          () => listening.calls.run(engine, () => engine.caption(open(), { signal, ...asked })),
          signal,
        );
      } catch (error) {
        if (error instanceof EngineUnavailable)
          throw unavailable('The transcription engine is unavailable; retry later.');
        if (error instanceof ListeningFailed || error instanceof MediaError) {
          throw new Refusal('invalid', 'The sound cannot be transcribed.', { cause: error });
        }
        throw error;
      }
    },
  };
}
