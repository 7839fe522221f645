import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import { longTextLength } from '@earshot/contract/values';
import type { Backoff } from './backoff.ts';
import { judgeFailure } from './failure.ts';
import { showPath } from './file-name.ts';
import type { Journal } from './journal.ts';
import type { AgentLog } from './log.ts';
import { reasonOf } from './loop.ts';
import type { Entry } from './recording.ts';
import type { RefusedRecordings } from './set-aside.ts';
import { missing } from './vanished.ts';

const mostAtOnce = 200;
const mostFailures = 2;

export interface AnnouncementParts {
  readonly client: Client;
  readonly deviceSerial: string;
  readonly journal: Journal;
  readonly refused: RefusedRecordings;
  /** Delays recordings that failed for a reason that may pass. */
  readonly backoff: Backoff;
  readonly log: AgentLog;
}

/**
 * Announces the recordings that the platform does not know, oldest first, until there are none. A recording that it
 * refuses is set aside and does not stop the others. Throws if the platform cannot be reached.
 */
export async function announceAll(parts: AnnouncementParts, signal: AbortSignal): Promise<void> {
  const { journal, refused, backoff } = parts;
  for (;;) {
    const entries = [...journal.entries.values()]
      .filter((entry) => isOpen(entry) && backoff.isDue(entry.id) && refused.mayTry(entry))
      .sort((a, b) => a.startMs - b.startMs)
      .slice(0, mostAtOnce);
    if (entries.length === 0) return;
    await send(parts, entries, { failures: 0 }, signal);
  }
}

const isOpen = ({ clipID, removedBecause }: Entry): boolean => clipID === undefined && removedBecause !== missing;

/** The platform takes all clips of a request or none: halves find the one that it does not take. */
async function send(
  parts: AnnouncementParts,
  entries: readonly Entry[],
  counted: { failures: number },
  signal: AbortSignal,
): Promise<void> {
  const { client, deviceSerial, journal, refused, backoff, log } = parts;
  const [entry] = entries;
  if (!entry) return;
  try {
    const clips = await client.announceAudioClips(
      { params: { deviceSerial }, body: entries.map(describeClip) },
      { signal },
    );
    await journal.announce(entries.map((each, at) => ({ entry: each, clipID: keyOf(clips[at]) })));
  } catch (error) {
    const isRefused = !mayBeOne(error) && judgeFailure(error) === 'refused';
    if (!isRefused && !mayBeOne(error)) throw error;
    if (entries.length > 1) {
      const half = Math.ceil(entries.length / 2);
      await send(parts, entries.slice(0, half), counted, signal);
      return send(parts, entries.slice(half), counted, signal);
    }
    if (isRefused) return refused.refuse(entry, error);
    // Several: the fault is the platform's, not that of a recording.
    counted.failures += 1;
    if (counted.failures > mostFailures) throw error;
    backoff.fail(entry.id, error);
    log.write('warning', `announcing ${showPath(entry.path)}: ${reasonOf(error)}`);
  }
}

/** An error inside the platform, or a clip that was removed at the same moment, may concern one recording; it may pass. */
const mayBeOne = (error: unknown): boolean => error instanceof ApiError && [409, 500].includes(error.status);

function keyOf(clip: { readonly key?: number } | undefined): number {
  if (!clip?.key) throw new Error('The answer to an announcement lacks the key of a clip.');
  return clip.key;
}

const describeClip = ({ path, bytes, startMs, durationMs, call }: Entry) => ({
  startTime: Math.floor(startMs / 1_000),
  startTimeMs: startMs % 1_000,
  // The end of a path tells more than its beginning.
  localFilePath: showPath(path).slice(-longTextLength),
  fileSize: bytes,
  ...(durationMs === undefined ? {} : { clipLengthInSeconds: durationMs / 1_000 }),
  ...(call === undefined ? {} : { audioClipParameters: JSON.stringify(call) }),
});
