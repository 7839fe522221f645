import type { Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { CaptionEngine, Captions, Labels, Listening, Sound } from '../../platform/listening/engine.ts';
import { sampleRate } from '../../platform/listening/engine.ts';
import type { LabelBounds } from './orders.ts';
import type { SpeechEngines } from './engines.ts';
import type { ClipSource } from './task-queries.ts';
import { findClipSource } from './task-queries.ts';
import { addVersion, endOrder, wasWrittenByEvent, lockCaption } from './store.ts';
import type { SoundParts } from '../file/public.ts';
import { replaceLabels } from '../audio-clip/public.ts';

export interface CaptionTaskParts extends SoundParts {
  readonly engines: SpeechEngines;
}

export interface CaptionTask {
  readonly clipID: number;
  readonly eventID: number;
  readonly bounds: LabelBounds;
  /** Caption the clip even if it has a caption. */
  readonly again: boolean;
  /** If true, a failure is final: the event is not retried. */
  readonly isLastAttempt: boolean;
  readonly engine: CaptionEngine;
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
  listening: Listening,
): Promise<CaptionOutcome> {
  const { db } = parts;
  const { clipID, eventID, again } = task;
  for (let restart = 0; restart < mostRestarts; restart++) {
    const clip = await findClipSource(db, clipID);
    if (!clip) return 'was removed';
    const { fileID, storageName, isHere } = clip;
    const isDone = again ? await wasWrittenByEvent(db, clipID, eventID) : clip.isCaptioned;
    if (!isHere || fileID === null || isDone) {
      if (await endOrderUnlessReplaced(db, task, clip)) return isDone ? 'was captioned' : 'has no sound';
      continue;
    }
    try {
      const analysis = await analyse(parts, task.engine, storageName ?? '', listening);
      const outcome = await write(db, task, fileID, analysis);
      if (outcome !== 'other sound') return outcome;
    } catch (error) {
      listening.signal.throwIfAborted();
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
    if (clip && (clip.fileID !== seen.fileID || clip.isHere !== seen.isHere)) return false;
    await endOrder(tx, clipID, eventID);
    return true;
  });
}

interface Analysis {
  readonly captions: Captions;
  readonly labels: Labels | undefined;
}

async function analyse(
  parts: CaptionTaskParts,
  engine: CaptionEngine,
  name: string,
  listening: Listening,
): Promise<Analysis> {
  const { signal, onProgress } = listening;
  const { labels: labelEngine } = parts.engines;
  return withSound(parts, name, signal, async (open) => {
    const captions = await engine.caption(open(), {
      signal,
      onProgress: (ms) => onProgress?.(labelEngine ? ms * captionShare : ms),
    });
    const labels = await labelEngine?.label(open(), {
      signal,
      onProgress: (ms) => onProgress?.(captions.soundMs * captionShare + ms * (1 - captionShare)),
    });
    return { captions, labels };
  });
}

/** Lets `work` decode a stored file as often as it needs to, in the format of the engines. */
export function withSound<Result>(
  { scratch, storage, media }: SoundParts,
  storageName: string,
  signal: AbortSignal,
  work: (open: () => Sound) => Promise<Result>,
): Promise<Result> {
  return scratch.withStored(
    storage,
    storageName,
    (path) => work(() => media.decode(path, { sampleRate, channels: 1, signal })),
    signal,
  );
}

/** Writes the caption and tags and ends the order, in one transaction. */
async function write(db: Pool, { clipID, eventID, bounds, again }: CaptionTask, fileID: number, analysis: Analysis) {
  const { captions, labels } = analysis;
  return inTransaction(db, async (tx) => {
    const clip = await lockCaption(tx, clipID);
    if (!clip) return 'was removed';
    if (clip.fileID !== fileID) return 'other sound';
    await endOrder(tx, clipID, eventID);
    const isCaptioned = clip.version !== null && (clip.captionFileID ?? fileID) === fileID;
    if (again ? await wasWrittenByEvent(tx, clipID, eventID) : isCaptioned) return 'was captioned';
    await addVersion(tx, clip, {
      origin: 'engine',
      transcript: transcriptOf(captions),
      segments: captions.segments,
      isTimed: true,
      fileID,
      language: captions.language ?? null,
      isLanguageKnown: captions.isLanguageKnown,
      engineName: captions.engine.name,
      engineVersion: captions.engine.version,
      basedOn: null,
      eventID,
      createdBy: null,
    });
    if (labels) await replaceLabels(tx, clipID, labels.engine.name, strongest(labels, bounds));
    return 'captioned' as const;
  });
}

export const transcriptOf = ({ segments }: Pick<Captions, 'segments'>): string =>
  segments
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join(' ');

const strongest = ({ labels }: Labels, { maxLabels, minConfidence }: LabelBounds) =>
  labels
    .filter(({ confidence }) => confidence >= minConfidence)
    .toSorted((a, b) => b.confidence - a.confidence || a.startMs - b.startMs)
    .slice(0, maxLabels);
