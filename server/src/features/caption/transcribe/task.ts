import type { Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import { JobPostponed } from '../../../platform/events/jobs.ts';
import type { CaptionEngine, Captions } from '../../../platform/listening/engine.ts';
import { EngineUnavailable, sampleRate } from '../../../platform/listening/engine.ts';
import type { EngineCalls } from '../engine/engine-calls.ts';
import type { SpeechEngines } from '../engine/engines.ts';
import type { ClipListening, Pace } from './transcribe-clip.ts';
import { transcribeClip } from './transcribe-clip.ts';
import { hasLabelOrder, putLabelOrder, removeLabelOrder } from './label-queries.ts';
import type { OpenSound } from './label-task.ts';
import { labelClip } from './label-task.ts';
import type { LabelBounds } from '../order/orders.ts';
import { giveUpRun, removeRun } from './part-queries.ts';
import { areWordsTimed, transcriptOf } from '../segments.ts';
import type { ClipSource } from './task-queries.ts';
import { findClipSource } from './task-queries.ts';
import { removeOrder } from '../order/queries.ts';
import { addVersion, wasWrittenByEvent, lockCaption } from '../version-queries.ts';
import type { SoundParts } from '../../file/public.ts';
import { chooseForRadio } from './third-listen.ts';
import { findVocabulary } from '../../vocabulary/public.ts';
import { findLikelyLanguages } from './languages.ts';

/*
 * The life of a caption task. Each write is a transaction of its own, under a lock on the clip, and finds what an earlier
 * attempt of the same event has written.
 *
 *   transcribe the sound (transcribe-clip.ts) ──► write the caption, end its order, order the labels
 *     ──► label the sound ──► write the tags
 */

export interface CaptionTaskParts extends SoundParts {
  readonly engines: SpeechEngines;
  readonly calls: EngineCalls;
  readonly pace: Pace;
}

export interface CaptionTask {
  readonly clipID: number;
  readonly eventID: number;
  readonly bounds: LabelBounds;
  /** Caption the clip even if it has a caption. */
  readonly again: boolean;
  /** If true, a failure is final: the event is not retried. */
  readonly isLastAttempt: boolean;
  /** The engine for a clip of a device that has chosen the given profile. */
  readonly chooseEngine: (ofDevice: string | null) => CaptionEngine;
}

export type CaptionOutcome = 'captioned' | 'was captioned' | 'has no sound' | 'was removed';

/** The share of captioning in the progress; labels are the rest. */
const captionShare = 0.8;
const mostRestarts = 10;

/**
 * Captions a clip once: a repeated event finds the version that it already wrote. If the clip's file is replaced
 * meanwhile, it starts again with the new file.
 */
export async function captionClip(
  parts: CaptionTaskParts,
  task: CaptionTask,
  listening: ClipListening,
): Promise<CaptionOutcome> {
  const { db } = parts;
  const { clipID, eventID, again } = task;
  for (let restart = 0; restart < mostRestarts; restart++) {
    const clip = await findClipSource(db, clipID);
    if (!clip) return 'was removed';
    const { fileID, isAvailable } = clip;
    const isDone = again ? await wasWrittenByEvent(db, clipID, eventID) : clip.isCaptioned;
    const isUnlabelled = isDone && (await hasLabelOrder(db, clipID, eventID));
    if (!isAvailable || fileID === null || (isDone && !isUnlabelled)) {
      if (await endOrderUnlessReplaced(db, task, clip)) return isDone ? 'was captioned' : 'has no sound';
      continue;
    }
    try {
      const outcome = await captionAndLabel(parts, task, { ...clip, fileID }, isUnlabelled, listening);
      if (outcome !== 'other sound') return outcome;
    } catch (error) {
      listening.signal.throwIfAborted();
      if (error instanceof JobPostponed || error instanceof EngineUnavailable) throw error;
      // If the file was replaced, the failure does not concern the clip's current sound.
      if (task.isLastAttempt ? await endOrderUnlessReplaced(db, task, clip) : await stillHasFile(db, clipID, fileID))
        throw error;
    }
  }
  throw new Error('the file of a clip was replaced repeatedly while it was being captioned');
}

const stillHasFile = async (db: Pool, clipID: number, fileID: number): Promise<boolean> =>
  (await findClipSource(db, clipID))?.fileID === fileID;

/** Ends the clip's order for this file. Returns false if the clip has another file by now, which must be captioned. */
async function endOrderUnlessReplaced(db: Pool, { clipID, eventID }: CaptionTask, seen: ClipSource): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const clip = await lockCaption(tx, clipID);
    if (clip && (clip.fileID !== seen.fileID || clip.isAvailable !== seen.isAvailable)) return false;
    await removeOrder(tx, clipID, eventID);
    await giveUpRun(tx, clipID, eventID);
    await removeLabelOrder(tx, clipID, eventID);
    return true;
  });
}

type ClipWithFile = ClipSource & { readonly fileID: number };

/** Captions the clip, unless an earlier attempt did and only its labels are missing. */
function captionAndLabel(
  parts: CaptionTaskParts,
  task: CaptionTask,
  clip: ClipWithFile,
  isCaptioned: boolean,
  { onProgress, ...listening }: ClipListening,
): Promise<CaptionOutcome | 'other sound'> {
  const { db, engines } = parts;
  const { clipID, eventID } = task;
  const { fileID } = clip;
  const labelEngine = engines.labels;
  return withSound(parts, clip.storageName ?? '', listening.signal, async (open) => {
    let soundMs = 0;
    if (!isCaptioned) {
      const usual = task.chooseEngine(clip.captionEngine);
      const engine = clip.isRadio ? await chooseForRadio(db, usual, { clipID, eventID, fileID }) : usual;
      const vocabulary = await findVocabulary(db, clip.deviceID);
      const run = { clipID, eventID, fileID, engine: engine.identity, pace: parts.pace, vocabulary };
      const captions = await transcribeClip(parts, engine, run, open, {
        ...listening,
        ...(await findLikelyLanguages(db, clip.deviceID)),
        onProgress: (ms) => onProgress?.(labelEngine ? ms * captionShare : ms),
      });
      soundMs = captions.soundMs;
      const outcome = await writeCaption(db, task, fileID, captions, labelEngine !== undefined);
      if (outcome !== 'captioned' || !labelEngine) return outcome;
    }
    await labelClip(db, { ...task, fileID, engine: labelEngine }, open, {
      ...listening,
      onProgress: (ms) => onProgress?.(soundMs * captionShare + ms * (1 - captionShare)),
    });
    return 'captioned';
  });
}

/** Lets `work` decode a stored file as often as it needs to, in the format of the engines. */
export function withSound<Result>(
  { scratch, storage, media }: SoundParts,
  storageName: string,
  signal: AbortSignal,
  work: (open: OpenSound) => Promise<Result>,
): Promise<Result> {
  return scratch.withStored(
    storage,
    storageName,
    (path) =>
      work((fromMs = 0, onMeasured) => media.decode(path, { sampleRate, channels: 1, fromMs, signal, onMeasured })),
    signal,
  );
}

/** Writes the caption, ends the order and orders the labels, in one transaction. */
async function writeCaption(
  db: Pool,
  { clipID, eventID, again }: CaptionTask,
  fileID: number,
  captions: Captions,
  needsLabels: boolean,
): Promise<CaptionOutcome | 'other sound'> {
  return inTransaction(db, async (tx) => {
    const clip = await lockCaption(tx, clipID);
    if (!clip) return 'was removed';
    if (clip.fileID !== fileID) return 'other sound';
    await removeOrder(tx, clipID, eventID);
    await removeRun(tx, clipID, eventID);
    const isCaptioned = clip.version !== null && (clip.captionFileID ?? fileID) === fileID;
    if (again ? await wasWrittenByEvent(tx, clipID, eventID) : isCaptioned) return 'was captioned';
    await addVersion(tx, clip, {
      origin: 'engine',
      transcript: transcriptOf(captions.segments),
      segments: captions.segments,
      isTimed: areWordsTimed(captions.segments),
      fileID,
      language: captions.language ?? null,
      isLanguageKnown: captions.isLanguageKnown,
      engineName: captions.engine.name,
      engineVersion: captions.engine.version,
      basedOn: null,
      eventID,
      createdBy: null,
    });
    if (needsLabels) await putLabelOrder(tx, clipID, eventID);
    return 'captioned' as const;
  });
}
