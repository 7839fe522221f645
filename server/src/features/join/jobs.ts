import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { requireValue } from '../../platform/database/stored.ts';
import type { Job, JobKind } from '../../platform/events/jobs.ts';
import { FinalJobFailure, JobFailure } from '../../platform/events/jobs.ts';
import type { JoinPiece, JoinResult } from '../../platform/media/join/join-work.ts';
import type { Log } from '../../platform/log.ts';
import { MediaError } from '../../platform/media/media-error.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { OutboundError } from '../../platform/outbound/outbound-error.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { StoredFileMissing } from '../../platform/storage/storage-error.ts';
import { isBeyondLimits } from '../../platform/media/probe-sound.ts';
import type { JoinableClip } from './queries.ts';
import { findClipsOfEvent } from './queries.ts';
import type { JoinParameters } from './enqueue.ts';
import type { ExportLimits } from './export-limits.ts';
import { requireMaker } from './export-result.ts';
import { keepResult } from './keep-result.ts';
import { describeSound } from '../file/public.ts';
import type { SoundParts } from '../file/public.ts';
import { withSecrets } from '../event/public.ts';

export interface JoiningParts extends SoundParts {
  readonly outbound: Outbound;
  readonly secretBox: SecretBox;
  readonly log: Log;
  readonly exportLimits: ExportLimits;
}

/**
 * Decoding and encoding run in processes of their own, which use a core each. Each owner has one place, so a receiver
 * that accepts the result slowly delays only the joins of the owner who named it.
 */
const places = { concurrency: 2, perOwner: 1 };
const uploadWithinMs = 3_600_000;
/** A receiver that accepts no bytes for this long is disconnected; the event keeps its further attempts. */
const stalledAfterMs = 60_000;
const mostAnswerBytes = 65_536;
const progressEveryMs = 1_000;
/** The share of joining in the progress; delivering the result is the rest. */
const joiningShare = 0.9;

/** Joins clips into one sound file and delivers it. */
export const joiningJob = (parts: JoiningParts): JobKind => ({
  eventType: 'Concatenate_audio_clips',
  ...places,
  async handle(job) {
    const { eventParameters } = await withSecrets(parts.db, parts.secretBox, job.event);
    const parameters = JSON.parse(eventParameters) as JoinParameters;
    try {
      await requireMaker(parts.db, job.event);
      if (parameters.uploadURL !== undefined) await parts.outbound.checkAddress(parameters.uploadURL);
      return await parts.scratch.withPath(async (path) => {
        const joined = await join(parts, job, parameters, path);
        const done =
          parameters.uploadURL === undefined
            ? await keepResult(parts, job, joined, path)
            : await send(parts, job, joined, path, parameters.uploadURL);
        const { durationMs, format, isReencoded } = joined;
        return JSON.stringify({ ...done, format, durationMs: Math.round(durationMs), isReencoded });
      });
    } catch (error) {
      if (error instanceof OutboundError)
        parts.log.info({ eventID: job.event.key, reason: error.reason }, 'the result of a join was not delivered');
      throw explain(error);
    }
  },
});

async function join(parts: JoiningParts, job: Job, parameters: JoinParameters, target: string): Promise<JoinResult> {
  const clips = await findClipsOfEvent(parts.db, job.event.key, parameters.audioClips);
  requireAll(clips, parameters.audioClips);
  const pieces: JoinPiece[] = [];
  for (const clip of clips) pieces.push(await pieceOf(parts, job, clip));
  const { startEpoch, endEpoch, gaps, format } = parameters;
  return parts.media.join({
    pieces,
    fromMs: startEpoch === undefined ? Math.min(...pieces.map(({ startMs }) => startMs)) : startEpoch * 1000,
    toMs: endEpoch === undefined ? Math.max(...pieces.map(({ endMs }) => endMs)) : endEpoch * 1000,
    gaps,
    format,
    target,
    onProgress: throttled((percent) => job.progress(percent * joiningShare)),
    signal: job.signal,
  });
}

/** Clips that existed at the request may have been removed since. */
function requireAll(clips: readonly JoinableClip[], keys: readonly number[]): void {
  const available = new Set(clips.filter(({ isAvailable }) => isAvailable).map(({ key }) => key));
  const gone = keys.find((key) => !available.has(key));
  if (gone !== undefined) throw new JobFailure(`The sound of clip ${gone} is no longer on the server.`);
}

async function pieceOf(parts: JoiningParts, job: Job, clip: JoinableClip): Promise<JoinPiece> {
  const { startMs } = clip;
  const fileID = requireValue(clip.fileID, 'audio_clips.file_id of an available clip');
  const storageName = requireValue(clip.storageName, 'files.storage_name of an available clip');
  const endMs = clip.endMs ?? startMs + ((await describeSound(parts, fileID))?.durationMs ?? 0);
  return { startMs, endMs, open: () => parts.scratch.openStored(parts.storage, storageName, job.signal) };
}

/**
 * Limits the reports, because each is sent to all live listeners. Errors are ignored: a lost job is aborted by its
 * signal.
 */
function throttled(report: (percent: number) => Promise<void>): (percent: number) => void {
  let nextMs = 0;
  return (percent) => {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + progressEveryMs;
    report(percent).catch(() => {});
  };
}

async function send(parts: JoiningParts, job: Job, joined: JoinResult, path: string, url: string) {
  const { size } = await stat(path);
  // Joining takes time, in which the event may have been removed and the right lost.
  await requireMaker(parts.db, job.event);
  const { status } = await parts.outbound.send(url, {
    method: 'PUT',
    headers: { 'content-type': joined.contentType, 'content-length': String(size) },
    body: createReadStream(path),
    signal: job.signal,
    timeoutMs: uploadWithinMs,
    stallMs: stalledAfterMs,
    maxAnswerBytes: mostAnswerBytes,
  });
  if (status < 200 || status > 299) throw new JobFailure(`The receiver of the sound responded with status ${status}.`);
  return { uploadedBytes: size };
}

/** Turns errors that people can act on into failures with a message. */
function explain(error: unknown): unknown {
  if (error instanceof MediaError && isBeyondLimits(error)) return new FinalJobFailure(`${error.message}.`);
  if (error instanceof MediaError && error.code !== 'failed') return new JobFailure(`${error.message}.`);
  if (error instanceof OutboundError) {
    const message = `The sound was not delivered: ${error.message}.`;
    const isFinal = error.fault === 'forbidden' || error.fault === 'unresolved';
    return isFinal ? new FinalJobFailure(message) : new JobFailure(message);
  }
  if (error instanceof StoredFileMissing) return new JobFailure('The sound of a clip is missing in storage.');
  return error;
}
