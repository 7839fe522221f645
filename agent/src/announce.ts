import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import { isPermanent } from '@earshot/client/retry';
import type { AgentLog } from './log.ts';
import type { Entry, Journal } from './journal.ts';

const mostAtOnce = 200;

interface AnnounceParts {
  readonly client: Client;
  readonly deviceSerial: string;
  readonly journal: Journal;
  readonly log: AgentLog;
}

/**
 * Announces the recordings that the platform does not know, oldest first, until there are none. Recordings that it refuses
 * are returned, so that the next call leaves them out; they stay in the journal.
 */
export async function announceAll(
  { client, deviceSerial, journal, log }: AnnounceParts,
  refused: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  const send = async (entries: readonly Entry[]): Promise<void> => {
    const clips = await client.announceAudioClips(
      { params: { deviceSerial }, body: entries.map(describeClip) },
      { signal },
    );
    await journal.announce(entries.map(({ path }, at) => ({ path, clipID: clips[at]?.key ?? 0 })));
  };
  for (;;) {
    const entries = [...journal.entries.values()]
      .filter(({ path, clipID }) => clipID === undefined && !refused.has(path))
      .sort((a, b) => a.startMs - b.startMs)
      .slice(0, mostAtOnce);
    if (entries.length === 0) return;
    try {
      await send(entries);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // All or nothing: one after the other finds the one that is refused.
      for (const entry of entries) {
        await send([entry]).catch((refusal: unknown) => {
          if (!isRefusal(refusal)) throw refusal;
          refused.add(entry.path);
          log.write('error', `The platform refused the recording ${entry.path}: ${(refusal as Error).message}`);
        });
      }
    }
  }
}

/** The recording itself is refused, rather than the key or the device. */
const isRefusal = (error: unknown): boolean =>
  isPermanent(error) && error instanceof ApiError && ![401, 403, 404].includes(error.status);

const describeClip = ({ path, bytes, startMs, durationMs, call }: Entry) => ({
  startTime: Math.floor(startMs / 1_000),
  startTimeMs: startMs % 1_000,
  localFilePath: path,
  fileSize: bytes,
  ...(durationMs === undefined ? {} : { clipLengthInSeconds: durationMs / 1_000 }),
  ...(call === undefined ? {} : { audioClipParameters: JSON.stringify(call) }),
});
