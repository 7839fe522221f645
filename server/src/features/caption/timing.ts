import { inTransaction } from '../../platform/database/connect.ts';
import { JobFailure } from '../../platform/events/jobs.ts';
import { cutWords } from '../../platform/listening/cut-words.ts';
import type { ClipListening } from './hear.ts';
import { findClipSource } from './task-queries.ts';
import type { CaptionTask, CaptionTaskParts } from './task.ts';
import { captionClip, withSound } from './task.ts';
import type { StoredVersion } from './queries.ts';
import { findCurrent } from './queries.ts';
import { addVersion, wasWrittenByEvent, lockCaption } from './store.ts';

/**
 * Finds the times of a clip's words and returns the outcome. An engine's words already have times; a clip without a
 * caption is captioned; words written by hand are aligned with the sound.
 */
export async function timeWords(parts: CaptionTaskParts, task: CaptionTask, listening: ClipListening): Promise<string> {
  const { db } = parts;
  const { clipID, eventID } = task;
  const clip = await findClipSource(db, clipID);
  const current = await findCurrent(db, clipID);
  if (!clip) return resultOf('The clip was removed.');
  if (!clip.isCaptioned || !current) {
    const outcome = await captionClip(parts, task, listening);
    return resultOf(outcome === 'captioned' ? 'The clip was captioned.' : `The clip ${outcome}.`);
  }
  if (current.isTimed) return resultOf('Its words already have times.');
  if (await wasWrittenByEvent(db, clipID, eventID)) return resultOf('The words were found.');
  if (!clip.isHere || clip.fileID === null) return resultOf('The clip has no sound.');
  await placeWords(parts, task, { current, fileID: clip.fileID, storageName: clip.storageName ?? '' }, listening);
  return resultOf('The words were found.');
}

const resultOf = (outcome: string): string => JSON.stringify({ outcome });

interface ToPlace {
  readonly current: StoredVersion;
  readonly fileID: number;
  readonly storageName: string;
}

/**
 * Stores the times as a new version by the same author, unless the text was changed meanwhile: the new text has its own
 * event.
 */
async function placeWords(
  parts: CaptionTaskParts,
  task: CaptionTask,
  { current, fileID, storageName }: ToPlace,
  listening: ClipListening,
) {
  const { aligner } = parts.engines;
  if (!aligner) throw new JobFailure('No engine on this server can align words with sound.');
  const written = current.segments.flatMap(({ words }) => words);
  // If the text is not based on an engine's version, its estimated times do not show where the words are said.
  const given = current.basedOn === null ? written.map(({ text }) => ({ text })) : written;
  const found = await withSound(parts, storageName, listening.signal, (open) =>
    aligner.align(open(), given, listening),
  );
  // Only the times are new: the confidence of the aligner is about times.
  const words = found.map(({ startMs, endMs }, at) => ({ ...written[at]!, startMs, endMs }));
  await inTransaction(parts.db, async (tx) => {
    const clip = await lockCaption(tx, task.clipID);
    if (!clip || clip.version !== current.version || clip.fileID !== fileID) return;
    await addVersion(tx, clip, {
      ...current,
      segments: cutWords(words),
      isTimed: true,
      fileID,
      basedOn: current.version,
      eventID: task.eventID,
    });
  });
}
