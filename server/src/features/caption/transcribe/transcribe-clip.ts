import type { Pool } from '../../../platform/database/connect.ts';
import type { CaptionEngine, Captions, TranscribedPart, Listening, Sound } from '../../../platform/listening/engine.ts';
import { markLanguages, settleLanguage } from '../../../platform/listening/segment-languages.ts';
import type { EngineCalls } from '../engine/engine-calls.ts';
import type { HeardSoFar, RunKey } from './part-queries.ts';
import { openPartSaver } from './part-saver.ts';
import { isMostlyKnown, shiftSegments } from '../segments.ts';

/*
 * How the sound of a clip is transcribed in parts.
 *
 *   transcribe from the last saved part ──► engine ──► parts, saved every few seconds ──► the result
 *                ▲                                        │
 *                └── the turn is over: give way ◄─────────┘
 *
 * A clip that has used its turn gives way when another one waits: at once and within this process if that one waits for
 * the same engine, otherwise the job is postponed. In each turn at least one part is saved, so every clip proceeds.
 */

/** How often parts are saved, and how long a clip may keep the engine while another one waits. */
export interface Pace {
  readonly saveEveryMs: number;
  readonly turnMs: number;
}

export const usualPace: Pace = { saveEveryMs: 5_000, turnMs: 20_000 };

export interface ClipListening extends Listening {
  /**
   * Called when the clip has used its turn, with whether another clip waits for its engine. Throws JobPostponed if the
   * job must stop for others.
   */
  readonly giveWay?: ((isEngineAwaited: boolean) => Promise<void>) | undefined;
}

export interface ClipToTranscribe extends RunKey {
  readonly pace: Pace;
  readonly vocabulary: readonly string[];
}

interface TranscribeParts {
  readonly db: Pool;
  readonly calls: EngineCalls;
}

/** Stops a call of the engine, so that another clip can use the engine. */
class TurnOver extends Error {}

export async function transcribeClip(
  { db, calls }: TranscribeParts,
  engine: CaptionEngine,
  clip: ClipToTranscribe,
  open: (fromMs: number) => Sound,
  listening: ClipListening,
): Promise<Captions> {
  const { signal, onProgress, giveWay, languages, recentLanguages } = listening;
  const saver = await openPartSaver(db, clip);

  const transcribeRest = async (before: HeardSoFar, stopping: AbortController): Promise<Captions> => {
    const fromMs = before.heardUntilMs;
    const sound = await skipTo(open, fromMs);
    // Both begin with the first part, because the clip may have waited for the engine.
    let [turnStart, lastSave] = [0, 0];
    const saveAndCheckTurn = async (): Promise<void> => {
      if ((await saver.save()) === 'lost') throw new Error('another worker continues this transcription');
      lastSave = performance.now();
      if (lastSave - turnStart < clip.pace.turnMs) return;
      const isAwaited = calls.isAwaited(engine);
      await giveWay?.(isAwaited);
      if (isAwaited) throw new TurnOver('another clip waits for the engine');
    };
    let next: NodeJS.Timeout | undefined;
    let [isSaving, isOver] = [false, false];
    const saveWhenDue = (): void => {
      if (isSaving || isOver || next || !saver.hasUnsaved()) return;
      const dueMs = lastSave + clip.pace.saveEveryMs - performance.now();
      next = setTimeout(() => {
        [next, isSaving] = [undefined, true];
        void saveAndCheckTurn()
          .catch((reason: unknown) => stopping.abort(reason))
          .finally(() => {
            isSaving = false;
            saveWhenDue();
          });
      }, dueMs);
    };
    const onPart = ({ segments, untilMs, language }: TranscribedPart): void => {
      turnStart ||= performance.now();
      lastSave ||= turnStart;
      saver.add({ segments: shiftSegments(segments, fromMs), untilMs: untilMs + fromMs, language });
      saveWhenDue();
    };
    try {
      const rest = await calls.run(engine, () =>
        engine.caption(sound, {
          signal: AbortSignal.any([signal, stopping.signal]),
          language: before.language,
          languages,
          recentLanguages,
          vocabulary: clip.vocabulary,
          onProgress: (ms) => onProgress?.(fromMs + ms),
          onPart,
        }),
      );
      return fromMs === 0 ? rest : joinHeard(before, rest);
    } finally {
      isOver = true;
      clearTimeout(next);
      await saver.settled();
    }
  };

  for (;;) {
    const stopping = new AbortController();
    try {
      return await transcribeRest(saver.restart(), stopping);
    } catch (error) {
      // The next attempt continues here, whatever the reason is.
      await saver.save();
      signal.throwIfAborted();
      const reason: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
      if (!(reason instanceof TurnOver)) throw reason;
    }
  }
}

/** Decodes up to the place before the engine is called, so that the engine does not wait for it. */
async function skipTo(open: (fromMs: number) => Sound, fromMs: number): Promise<Sound> {
  const sound = open(fromMs);
  if (fromMs === 0) return sound;
  const chunks = sound[Symbol.asyncIterator]();
  const first = await chunks.next();
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
    }
  })();
}

/** The result for the whole clip, from the parts of earlier turns and the rest. */
function joinHeard(before: HeardSoFar, rest: Captions): Captions {
  const language = rest.language ?? before.language;
  const segments = [
    ...markLanguages(before.segments, before.language, language),
    ...shiftSegments(rest.segments, before.heardUntilMs),
  ];
  return settleLanguage({
    engine: rest.engine,
    language,
    isLanguageKnown: isMostlyKnown(segments),
    segments,
    soundMs: before.heardUntilMs + rest.soundMs,
  });
}
