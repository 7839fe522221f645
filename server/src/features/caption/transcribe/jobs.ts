import type { Job, JobKind } from '../../../platform/events/jobs.ts';
import { JobFailure, JobPostponed } from '../../../platform/events/jobs.ts';
import type { CaptionEngine } from '../../../platform/listening/engine.ts';
import { EngineUnavailable, ListeningFailed } from '../../../platform/listening/engine.ts';
import { requireValue } from '../../../platform/database/stored.ts';
import { MediaError } from '../../../platform/media/media-error.ts';
import { StoredFileMissing } from '../../../platform/storage/storage-error.ts';
import type { CaptionParameters } from '../order/orders.ts';
import { captionAttempts, usualBounds, watchedPriority } from '../order/orders.ts';
import type { Backlog } from './task-queries.ts';
import { findBacklogPage, findClipSource } from './task-queries.ts';
import type { ClipListening, Pace } from './transcribe-clip.ts';
import { usualPace } from './transcribe-clip.ts';
import type { CaptionTask, CaptionTaskParts, CaptionOutcome } from './task.ts';
import { captionClip } from './task.ts';
import type { RunningEngines } from '../engine/running-engines.ts';
import { timeWords } from './timing.ts';
import type { SoundParts } from '../../file/public.ts';
import { describeSound } from '../../file/public.ts';

export interface CaptionJobParts extends SoundParts {
  /** Undefined if captions are switched off: then the events wait. */
  readonly listening: RunningEngines | undefined;
  /** How many clips are transcribed at once. */
  readonly atOnce: number;
  readonly pace?: Pace | undefined;
}

const pageSize = 1_000;
/** After this many clips of a backlog, another owner with waiting events gets a turn. */
const clipsPerTurn = 5;
const progressEveryMs = 1_000;
/** Limits the result's size; the server's log has every failure. */
const mostNamed = 100;

/** Captions and labels one new clip, or a backlog of clips of a device. */
export function captionAudioJob(parts: CaptionJobParts): JobKind {
  const interrupted: Interrupted = new Map();
  return {
    eventType: 'Caption_audio',
    // Two more than are transcribed at once. They wait for the engine, so that neither a long backlog blocks new clips nor
    // a stream of new clips the backlog, and the next clip is ready while the last one is labelled.
    concurrency: parts.atOnce + 2,
    urgentPlaces: 2,
    usualPlaces: 1,
    aheadPriority: watchedPriority,
    isReady: () => parts.listening?.isReady() ?? false,
    handle: (job) => whileAvailable(parts, (task) => captionAudio(task, job, interrupted)),
  };
}

/** Finds the times of a clip's words. */
export const captionWordsJob = (parts: CaptionJobParts): JobKind => ({
  eventType: 'Caption_words',
  concurrency: 1,
  isReady: () => parts.listening?.isReady() ?? false,
  handle: (job) =>
    whileAvailable(parts, async (taskParts) => {
      const { audioClips } = job.parameters as Partial<CaptionParameters>;
      const clipID = requireValue(audioClips?.[0], 'the clip in events.event_parameters of Caption_words');
      const task = taskOf(taskParts, job, clipID);
      return timeWords(taskParts, task, await listeningTo(parts, job, clipID)).catch(refuse);
    }),
});

/** If the default engine is unavailable, postpones the event; no further event is taken until the engine is ready. */
async function whileAvailable(
  { listening, pace = usualPace, ...parts }: CaptionJobParts,
  work: (parts: CaptionTaskParts) => Promise<string>,
): Promise<string> {
  if (!listening) throw new JobPostponed('captions are switched off');
  try {
    const result = await work({ ...parts, pace, engines: listening.engines, calls: listening.calls });
    listening.succeed();
    return result;
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    listening.fail(error);
    throw new JobPostponed(error.message, { cause: error });
  }
}

async function captionAudio(parts: CaptionTaskParts, job: Job, interrupted: Interrupted): Promise<string> {
  const { audioClips } = job.parameters as Partial<CaptionParameters>;
  const [clipID] = audioClips ?? [];
  if (clipID === undefined || audioClips?.length !== 1) return captionBacklog(parts, job, interrupted);
  const listening = await listeningTo(parts, job, clipID);
  const outcome = await captionClip(parts, taskOf(parts, job, clipID), listening).catch(refuse);
  return resultOf(outcome === 'captioned' ? 1 : 0, [], outcome);
}

/** If an engine other than the default is unavailable, only the event that names it fails. */
function requireEngine({ engines }: CaptionTaskParts, kind: string): CaptionEngine {
  const engine = engines.findEngine(kind);
  if (!engine) throw new JobFailure(`The engine ${kind} is not configured on this server.`);
  if (engine === engines.captions) return engine;
  const failing = (one: CaptionEngine): CaptionEngine => ({
    ...one,
    async caption(sound, listening) {
      try {
        return await one.caption(sound, listening);
      } catch (error) {
        if (error instanceof EngineUnavailable)
          throw new JobFailure(`The engine ${kind} is unavailable: ${error.message}.`);
        throw error;
      }
    },
  });
  return { ...failing(engine), forRadio: engine.forRadio && failing(engine.forRadio) };
}

const taskOf = (parts: CaptionTaskParts, job: Job, clipID: number): CaptionTask => {
  const parameters = { ...usualBounds, ...(job.parameters as Partial<CaptionParameters>) };
  const { maxLabels, minConfidence, again = false, engine: requested } = parameters;
  const { attemptNumber, maxAttempts } = job.event;
  return {
    clipID,
    eventID: job.event.key,
    bounds: { maxLabels, minConfidence },
    again,
    isLastAttempt: attemptNumber >= maxAttempts,
    chooseEngine: (ofDevice) => {
      const kind = requested ?? ofDevice;
      return kind === null ? parts.engines.captions : requireEngine(parts, kind);
    },
  };
};

async function listeningTo(parts: SoundParts, job: Job, clipID: number): Promise<ClipListening> {
  const { fileID, isAvailable } = (await findClipSource(parts.db, clipID)) ?? {};
  // The length is needed for the progress only; captioning reports an unreadable file itself.
  const facts = fileID && isAvailable ? await describeSound(parts, fileID).catch(ignoreMediaError) : undefined;
  const report = throttled((percent) => job.progress(percent));
  return {
    signal: job.signal,
    giveWay: giveWayIn(job),
    onProgress: (heardMs: number) => report((100 * heardMs) / Math.max(facts?.durationMs ?? 0, heardMs, 1)),
  };
}

/**
 * A clip that has used its turn leaves the place of urgent work when another clip waits: it continues with priority 0, and
 * the clips that have just arrived come first. After that it stops only for another owner. Work with priority 0 has a place
 * of its own, so a stream of new clips does not stop it.
 */
const giveWayIn =
  (job: Job) =>
  async (isEngineAwaited: boolean): Promise<void> => {
    const isUrgent = job.event.priority > 0;
    if ((isUrgent && isEngineAwaited) || (await job.isTurnOver()))
      throw new JobPostponed('another clip is next', { priority: 0 });
  };

function ignoreMediaError(error: unknown): undefined {
  if (!(error instanceof MediaError)) throw error;
}

interface Failure {
  readonly audioClipID: number;
  readonly reason: string;
}

interface BacklogState {
  captioned: number;
  readonly failures: Failure[];
}

/**
 * The state of backlogs that were postponed for another owner's turn, by event. Kept on this node only: on another node
 * failed clips are retried, and the result counts only its own work.
 */
type Interrupted = Map<number, BacklogState>;

/** Captions clip by clip. A resumed event continues with the clips that are left. */
async function captionBacklog(parts: CaptionTaskParts, job: Job, interrupted: Interrupted): Promise<string> {
  const eventID = job.event.key;
  const state = interrupted.get(eventID) ?? { captioned: 0, failures: [] };
  interrupted.delete(eventID);
  const failed = new Set(state.failures.map(({ audioClipID }) => audioClipID));
  const keys = (await findBacklog(parts, job)).filter((key) => !failed.has(key));
  const before = state.captioned + failed.size;
  for (const [at, clipID] of keys.entries()) {
    if (at > 0 && at % clipsPerTurn === 0 && (await job.isTurnOver())) {
      interrupted.set(eventID, state);
      throw new JobPostponed('another owner is next');
    }
    await job.progress((100 * (before + at)) / (before + keys.length));
    try {
      await captionNext(parts, taskOf(parts, job, clipID), { signal: job.signal, giveWay: giveWayIn(job) }, state);
    } catch (error) {
      if (error instanceof JobPostponed) interrupted.set(eventID, state);
      throw error;
    }
  }
  return resultOf(state.captioned, state.failures);
}

async function captionNext(
  parts: CaptionTaskParts,
  task: CaptionTask,
  listening: ClipListening,
  state: BacklogState,
): Promise<void> {
  try {
    const outcome = await captionWithRetries(parts, task, listening);
    state.captioned += outcome === 'captioned' ? 1 : 0;
  } catch (error) {
    const known = explain(error);
    if (!(known instanceof JobFailure)) throw known;
    state.failures.push({ audioClipID: task.clipID, reason: known.message });
  }
}

/** Tries as often as for a single clip. */
async function captionWithRetries(
  parts: CaptionTaskParts,
  task: CaptionTask,
  listening: ClipListening,
): Promise<CaptionOutcome> {
  for (let attempt = 1; ; attempt++) {
    const isLastAttempt = attempt === captionAttempts;
    try {
      return await captionClip(parts, { ...task, isLastAttempt }, listening);
    } catch (error) {
      if (!(error instanceof ListeningFailed) || isLastAttempt) throw error;
      listening.signal.throwIfAborted();
    }
  }
}

async function findBacklog({ db }: CaptionTaskParts, job: Job): Promise<readonly number[]> {
  const { audioClips, startEpoch, endEpoch, again } = job.parameters as Partial<CaptionParameters>;
  const backlog: Backlog = {
    deviceID: job.event.deviceID,
    eventID: job.event.key,
    audioClips,
    fromMs: startEpoch === undefined ? undefined : startEpoch * 1000,
    toMs: endEpoch === undefined ? undefined : endEpoch * 1000,
    again: again ?? false,
  };
  const keys: number[] = [];
  let place: Parameters<typeof findBacklogPage>[2] | undefined = { startMs: -1, key: 0 };
  while (place) {
    job.signal.throwIfAborted();
    const page: Awaited<ReturnType<typeof findBacklogPage>> = await findBacklogPage(db, backlog, place, pageSize);
    for (const key of page.keys) keys.push(key);
    place = page.next;
  }
  return keys;
}

function resultOf(captioned: number, failures: readonly Failure[], outcome?: CaptionOutcome): string {
  const failed = failures.slice(0, mostNamed);
  return JSON.stringify({
    captioned,
    ...(outcome === undefined || outcome === 'captioned' ? {} : { reason: `The clip ${outcome}.` }),
    ...(failures.length > 0 ? { failedCount: failures.length, failed } : {}),
  });
}

/** Turns errors that people can act on into failures with a message. */
function explain(error: unknown): unknown {
  if (error instanceof ListeningFailed) return new JobFailure(`${capital(error.message)}.`, { cause: error });
  if (error instanceof MediaError) return new JobFailure(`${error.message}.`, { cause: error });
  if (error instanceof StoredFileMissing) return new JobFailure('The sound of the clip is missing in storage.');
  return error;
}

const refuse = (error: unknown): never => {
  throw explain(error);
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

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
