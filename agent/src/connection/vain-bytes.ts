import { ApiError } from '@earshot/client/api-error';
import { NoUploadAnswer, UploadConflict } from '@earshot/client/upload';
import { createBodyGate } from './body-gate.ts';
import { aboutOneBody } from './connection.ts';
import { Unproven } from './network-fault.ts';

/*
 * Over plain http anybody can answer, with the mark of the platform too. What a liar gets is bounded:
 *
 *   unknown --a proof with the key--> trusted --a recording without proof--> doubted --a recording with proof--> trusted
 *
 * As long as it is not trusted, no sound is sent before a proof with the key. While it is doubted, recordings are sent one
 * at a time, each after a delay that doubles to ten minutes.
 */
export interface VainBytes {
  /** `challenge` asks for any proof, and throws if there is none; `send` throws Unproven if its bytes went in vain. */
  bound<Result>(challenge: () => Promise<unknown>, send: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

export function createVainBytes(): VainBytes {
  const gate = createBodyGate();
  let state: 'unknown' | 'trusted' | 'doubted' = 'unknown';
  let turn: Promise<unknown> = Promise.resolve();

  const attempt: VainBytes['bound'] = async (challenge, send, signal) => {
    await gate.pass(signal);
    if (state !== 'trusted') await challenge();
    if (state === 'unknown') state = 'trusted';
    try {
      const result = await send();
      state = 'trusted';
      gate.open();
      return result;
    } catch (error) {
      if (signal.aborted) throw error;
      const fault = await judge(error, challenge);
      if (fault instanceof Unproven) {
        state = 'doubted';
        gate.close();
      }
      throw fault;
    }
  };

  return {
    bound(challenge, send, signal) {
      if (state !== 'doubted') return attempt(challenge, send, signal);
      const mine = turn.then(() => attempt(challenge, send, signal));
      turn = mine.catch(() => {});
      return mine;
    },
  };
}

/** A refusal of one body is believed from the platform only: a liar could refuse every recording once it has it. */
async function judge(error: unknown, challenge: () => Promise<unknown>): Promise<unknown> {
  if (error instanceof NoUploadAnswer) return inVain(error);
  const isRefusal = error instanceof UploadConflict || (error instanceof ApiError && aboutOneBody.has(error.status));
  if (!isRefusal) return error;
  return challenge().then(() => error, inVain);
}

/** The recording alone waits: how long the next one does is decided here. */
export const inVain = (cause: unknown): Unproven =>
  Object.assign(new Unproven(cause instanceof Error ? cause.message : String(cause), { cause }), {
    platformAnswers: true,
  });
