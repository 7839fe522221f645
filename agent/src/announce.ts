import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import type { AudioClip } from '@earshot/contract/audio-clip';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { longTextLength } from '@earshot/contract/values';
import type { Backoff } from './backoff.ts';
import { isAgainstOne } from './connection/network-fault.ts';
import type { Prove } from './connection/proof.ts';
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
  readonly prove: Prove;
}

/**
 * Announces the recordings that the platform does not know, oldest first, until there are none. A recording that it
 * refuses is set aside; one that a filter on the way refuses waits; neither stops the others. Throws if the platform cannot
 * be reached.
 */
export async function announceAll(parts: AnnouncementParts, signal: AbortSignal): Promise<void> {
  const { journal, refused, backoff } = parts;
  const isDue = (entry: Entry) => isOpen(entry) && backoff.isDue(entry.id) && refused.mayTry(entry);
  for (;;) {
    // Those that have failed come last: they may be many, and others behind them.
    const rank = ({ id }: Entry) => Number(backoff.reasons.has(id));
    const due = [...journal.entries.values()].filter(isDue).sort((a, b) => rank(a) - rank(b) || a.startMs - b.startMs);
    if (due.length === 0) return;
    for (let at = 0; at < due.length; at += mostAtOnce) {
      // They may have changed while those before were announced.
      const entries = due.slice(at, at + mostAtOnce).flatMap(({ id }) => journal.entries.get(id) ?? []);
      await send(parts, entries.filter(isDue), { failures: 0 }, signal);
    }
  }
}

const isOpen = ({ clipID, removedBecause }: Entry): boolean => clipID === undefined && removedBecause !== missing;

/**
 * The platform takes all clips of a request or none, and a filter lets a request pass or not: halves find the one that is
 * not taken.
 */
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
    // Together: what is asked for at one moment shares requests.
    await Promise.all(entries.map((each, at) => requireOwn(parts, each, clips[at], signal)));
    const own = entries.filter(({ id, startMs }) => journal.entries.get(id)?.startMs === startMs);
    counted.failures = 0;
    for (const { id } of own) backoff.succeed(id);
    await journal.announce(own.map((each) => ({ entry: each, clipID: keyOf(clips[entries.indexOf(each)]) })));
  } catch (error) {
    const isRefused = !mayBeOne(error) && judgeFailure(error) === 'refused';
    if (!isRefused && !mayBeOne(error)) throw error;
    if (entries.length > 1) {
      const half = Math.ceil(entries.length / 2);
      await send(parts, entries.slice(0, half), counted, signal);
      return send(parts, entries.slice(half), counted, signal);
    }
    if (isRefused) return refused.refuse(entry, error);
    const reason = reasonOf(error);
    if (backoff.reasons.get(entry.id) !== reason) log.write('warning', `announcing ${showPath(entry.path)}: ${reason}`);
    backoff.fail(entry.id, error);
    // One after the other: the fault is hardly that of a recording.
    counted.failures += 1;
    if (counted.failures > mostFailures) throw error;
  }
}

/**
 * What may concern one recording, and may pass: an error inside the platform, a clip that was removed at the same moment,
 * and somebody on the way who answers while the platform answers other requests.
 */
const mayBeOne = (error: unknown): boolean =>
  isAgainstOne(error) || (error instanceof ApiError && [409, 500].includes(error.status));

const withSound: ReadonlySet<number | undefined> = new Set([audioClipStatus.available, audioClipStatus.expired]);

/**
 * The platform knows a clip by its start. If the clip of this start has sound already, it may be that of another
 * recording: of a device whose clock was set back, and that has forgotten what it sent. Then this recording begins a
 * millisecond later.
 */
async function requireOwn(
  { journal, prove, log }: AnnouncementParts,
  entry: Entry,
  clip: AudioClip | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (!withSound.has(clip?.audioClipStatus) || entry.sha256 === undefined || entry.isUploaded) return;
  if ((await prove(keyOf(clip), entry.sha256, signal)) !== 'missing') return;
  log.write('warning', `The platform has another recording of the start of ${showPath(entry.path)}, which is moved.`);
  await journal.moveStart(entry);
}

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
