import type { GivenWord, Listening, Sound } from '../engine.ts';
import { ListeningFailed, sampleRate } from '../engine.ts';
import type { ListeningProcess } from './child-process.ts';
import { inPieces } from './pieces.ts';
import type { Results } from './protocol.ts';

export interface Limits {
  /** How long a process may go without a sign of life while it is its turn. */
  readonly stallMs: number;
  readonly memoryBytes: number;
}

/** How to listen, and the words whose times are asked for, if that is what is asked. */
export interface Asked extends Listening {
  readonly words?: readonly GivenWord[] | undefined;
}

/** The process was gone before it could begin; the sound was not touched, and another process may do it. */
export class NeverBegan extends Error {
  override readonly name = 'NeverBegan';
}

const pieceSamples = 2 * sampleRate;
const memoryCheckMs = 1_000;
const obeyWithinMs = 5_000;

/**
 * Has one process listen to one clip. When it returns, with whatever outcome, the process is either free or gone. A
 * process that stands still, takes too much memory or does not heed a cancellation is ended.
 */
export async function listenInProcess<Ears extends keyof Results>(
  child: ListeningProcess,
  clip: number,
  sound: Sound,
  { signal, onProgress, words }: Asked,
  limits: Limits,
): Promise<Results[Ears]> {
  const pieces = inPieces(sound, pieceSamples);
  let heardMs = 0;
  let hasBegun = false;
  let soundFailure: { readonly error: unknown } | undefined;
  let stall: NodeJS.Timeout | undefined;
  const itsTurn = () => {
    clearTimeout(stall);
    stall = setTimeout(() => child.kill(`it stood still for ${limits.stallMs / 1_000} seconds`), limits.stallMs);
  };
  const ourTurn = () => clearTimeout(stall);
  const cancel = () => {
    child.say({ kind: 'cancel', clip });
    ourTurn();
    stall = setTimeout(() => child.kill('it did not stop when told to'), obeyWithinMs);
  };

  const sendNext = async () => {
    ourTurn();
    try {
      const { done, value } = await pieces.next();
      if (signal.aborted) return;
      child.say(done === true ? { kind: 'end', clip } : { kind: 'sound', clip, samples: value });
      itsTurn();
    } catch (error) {
      soundFailure = { error };
      cancel();
    }
  };

  const watch = setInterval(() => void checkMemory(child, limits.memoryBytes), memoryCheckMs);
  try {
    signal.throwIfAborted();
    return await new Promise<Results[Ears]>((resolve, reject) => {
      const fail = (reason: string) => reject(new ListeningFailed(reason));
      child.onMessage = (message) => {
        if (message === undefined) {
          if (!hasBegun) return reject(new NeverBegan(child.epitaph));
          return fail(`the process that listened to this clip is gone: ${child.epitaph}`);
        }
        if (!('clip' in message) || message.clip !== clip) return;
        if (!signal.aborted && !soundFailure) itsTurn();
        if ('heardMs' in message && message.heardMs > heardMs) onProgress?.((heardMs = Math.round(message.heardMs)));
        hasBegun = true;
        if (message.kind === 'more') void sendNext();
        if (message.kind === 'done') resolve(message.result as Results[Ears]);
        if (message.kind === 'failed') fail(`the engine could not listen to this clip: ${message.reason}`);
      };
      if (child.isGone) return child.onMessage(undefined);
      signal.addEventListener('abort', cancel, { once: true });
      itsTurn();
      child.say({ kind: 'listen', clip, words });
    });
  } catch (error) {
    if (soundFailure) throw soundFailure.error;
    // Whatever became of the process then: the clip was no longer wanted.
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
    child.onMessage = () => {};
    clearTimeout(stall);
    clearInterval(watch);
    if (hasBegun) await pieces.return(undefined).catch(() => {});
  }
}

async function checkMemory(child: ListeningProcess, most: number): Promise<void> {
  const bytes = await child.memoryBytes();
  if (bytes > most) child.kill(`it took more than ${Math.round(most / 1024 ** 2)} MB of memory`);
}
