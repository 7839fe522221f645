import { wait } from '@earshot/client/retry';
import type { Journal } from './journal.ts';
import type { Entry } from './recording.ts';
import type { UploadQueue } from './upload-queue.ts';
import type { CarryOut } from './work.ts';
import { EventFailure } from './work.ts';

export interface UploadClipsParts {
  readonly journal: Journal;
  readonly uploads: UploadQueue;
}

const mostRounds = 6;
const longestDelayMs = 60_000;
const mostNamed = 20;

/**
 * Uploads the clips that an event names. Those that fail for a reason that may pass are tried again after the others, a
 * few times, and for as long as more of them arrives.
 */
export function uploadClips({ journal, uploads }: UploadClipsParts): CarryOut {
  return async ({ parameters, signal, progress }) => {
    const wanted = Array.isArray(parameters['audioClips']) ? parameters['audioClips'].map(Number) : [];
    const known = new Map([...journal.entries.values()].map((entry) => [entry.clipID, entry]));
    const failures = wanted
      .filter((clipID) => !known.has(clipID))
      .map((clipID) => `clip ${clipID} is not on this device`);
    let open = wanted.flatMap((clipID) => known.get(clipID) ?? []);
    const total = open.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    for (let round = 1; open.length > 0; round++) {
      const later: Entry[] = [];
      let delayMs = longestDelayMs;
      for (const entry of open) {
        signal.throwIfAborted();
        const outcome = await uploads.upload(entry, signal, (bytes) =>
          progress((100 * (done + bytes)) / Math.max(1, total)),
        );
        if (outcome.state === 'later' && (outcome.isFurther || round < mostRounds)) {
          delayMs = Math.min(delayMs, outcome.delayMs);
          later.push(entry);
          continue;
        }
        done += entry.bytes;
        if (outcome.state !== 'uploaded') failures.push(`clip ${entry.clipID}: ${outcome.reason}`);
      }
      open = later;
      if (open.length > 0) await wait(delayMs, signal);
    }
    if (failures.length > 0)
      throw new EventFailure(
        `${wanted.length - failures.length} of ${wanted.length} uploaded; ${failures.slice(0, mostNamed).join('; ')}`,
      );
    return `${wanted.length} uploaded.`;
  };
}
