import type { Listening, Sound } from '../engine.ts';
import { ListeningFailed, sampleRate } from '../engine.ts';
import type { EngineProcess } from './child-process.ts';
import { inPieces } from './pieces.ts';
import type { ClipHints, Results } from './protocol.ts';
import { watchWork } from './watch-work.ts';

export interface ProcessLimits {
  /** A process that makes no progress for this time is killed (watch-work.ts). */
  readonly stallMs: number;
  readonly memoryBytes: number;
}

/** The options of an analysis, and what only processes need. */
export interface ClipRequest extends Listening, Pick<ClipHints, 'words' | 'thirdFolder'> {}

/** The process exited before it began. The sound was not read, so another process can analyse it. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
}

const pieceSamples = 2 * sampleRate;
const memoryCheckMs = 1_000;
const cancelWithinMs = 5_000;

/**
 * Analyses one clip in a process. When it returns or throws, the process is either idle or has exited. A process that
 * makes no progress, uses too much memory or ignores a cancellation is killed.
 */
export async function analyseInProcess<Kind extends keyof Results>(
  child: EngineProcess,
  clip: number,
  sound: Sound,
  { signal, onProgress, onPart, ...hints }: ClipRequest,
  limits: ProcessLimits,
): Promise<Results[Kind]> {
  const pieces = inPieces(sound, pieceSamples);
  let doneMs = 0;
  let hasBegun = false;
  /** The sound or a handler of the caller failed, not the process. */
  let callerFailure: { readonly error: unknown } | undefined;
  let cancelTimer: NodeJS.Timeout | undefined;
  const work = watchWork(child, limits.stallMs, (reason) => child.kill(reason));
  const itsTurn = () => work.restart();
  const ourTurn = () => work.pause();
  const cancel = () => {
    child.send({ kind: 'cancel', clip });
    ourTurn();
    clearTimeout(cancelTimer);
    cancelTimer = setTimeout(() => child.kill('it did not stop after a cancellation'), cancelWithinMs);
  };

  const sendNext = async () => {
    ourTurn();
    try {
      const { done, value } = await pieces.next();
      if (signal.aborted) return;
      child.send(done === true ? { kind: 'end', clip } : { kind: 'sound', clip, samples: value });
      itsTurn();
    } catch (error) {
      callerFailure = { error };
      cancel();
    }
  };
  const report = (tell: () => void) => {
    try {
      if (!callerFailure) tell();
    } catch (error) {
      callerFailure = { error };
      cancel();
    }
  };

  const watch = setInterval(() => void checkMemory(child, limits.memoryBytes), memoryCheckMs);
  try {
    signal.throwIfAborted();
    return await new Promise<Results[Kind]>((resolve, reject) => {
      const fail = (reason: string) => reject(new ListeningFailed(reason));
      child.onMessage = (message) => {
        if (message === undefined) {
          if (!hasBegun) return reject(new NotStarted(child.exitReason));
          return fail(`the process that analysed this clip has exited: ${child.exitReason}`);
        }
        if (!('clip' in message) || message.clip !== clip) return;
        if (!signal.aborted && !callerFailure) itsTurn();
        hasBegun = true;
        if ('doneMs' in message && message.doneMs > doneMs) {
          doneMs = Math.round(message.doneMs);
          report(() => onProgress?.(doneMs));
        }
        if (message.kind === 'part') report(() => onPart?.(message.part));
        if (message.kind === 'more' && !callerFailure) void sendNext();
        if (message.kind === 'done' && callerFailure) fail('its caller failed');
        else if (message.kind === 'done') resolve(message.result as Results[Kind]);
        if (message.kind === 'failed') fail(`the engine could not analyse this clip: ${message.reason}`);
      };
      if (child.hasExited) return child.onMessage(undefined);
      signal.addEventListener('abort', cancel, { once: true });
      itsTurn();
      child.send({ ...hintsOf(hints), kind: 'analyse', clip });
    });
  } catch (error) {
    if (callerFailure) throw callerFailure.error;
    // An aborted clip throws the abort reason, whatever happened to the process.
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
    child.onMessage = () => {};
    work.pause();
    clearTimeout(cancelTimer);
    clearInterval(watch);
    if (hasBegun) await pieces.return(undefined).catch(() => {});
  }
}

/** A request may have more than can be sent to a process. */
const hintsOf = ({
  words,
  language,
  languages,
  recentLanguages,
  vocabulary,
  prompt,
  thirdFolder,
}: ClipHints): ClipHints => ({
  words,
  language,
  languages,
  recentLanguages,
  vocabulary,
  prompt,
  thirdFolder,
});

async function checkMemory(child: EngineProcess, most: number): Promise<void> {
  const bytes = await child.memoryBytes();
  if (bytes > most) child.kill(`it used more than ${Math.round(most / 1024 ** 2)} MB of memory`);
}
