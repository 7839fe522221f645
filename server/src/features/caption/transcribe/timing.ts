import type { Db } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import { JobFailure } from '../../../platform/events/jobs.ts';
import { cutWords } from '../../../platform/listening/cut-words.ts';
import type { GivenWord } from '../../../platform/listening/engine.ts';
import type { ClipListening } from './transcribe-clip.ts';
import { findClipSource } from './task-queries.ts';
import type { CaptionTask, CaptionTaskParts } from './task.ts';
import { captionClip, withSound } from './task.ts';
import { keepUnconfirmed } from '../segments.ts';
import type { StoredVersion } from '../queries.ts';
import { findCurrent, findVersion } from '../queries.ts';
import { addVersion, wasWrittenByEvent, lockCaption } from '../version-queries.ts';

/**
 * Finds the times of a clip's words and returns the outcome. An engine's words usually have times; a clip without a
 * caption is captioned; words written by hand, or by an engine that gave no times, are aligned with the sound.
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
  if (!clip.isAvailable || clip.fileID === null) return resultOf('The clip has no sound.');
  await placeWords(parts, task, { current, fileID: clip.fileID, storageName: clip.storageName ?? '' }, listening);
  return resultOf('The words were found.');
}

const resultOf = (outcome: string): string => JSON.stringify({ outcome });

interface ToPlace {
  readonly current: StoredVersion;
  readonly fileID: number;
  readonly storageName: string;
}

/** The words with the times that show where they are said; words with no such time have none. */
async function expectedWords(db: Db, clipID: number, current: StoredVersion): Promise<readonly GivenWord[]> {
  if (await isBasedOnTimes(db, clipID, current)) return current.segments.flatMap(({ words }) => words);
  // An engine may have given times for some segments. The times of words written by hand are estimated.
  return current.segments.flatMap(({ words, isTimed }) =>
    current.origin === 'engine' && isTimed !== false ? words : words.map(({ text }) => ({ text })),
  );
}

const mostCorrections = 100;

/** Whether the words were corrected in a version whose times were found in the sound: unchanged words have kept theirs. */
async function isBasedOnTimes(db: Db, clipID: number, { basedOn }: StoredVersion): Promise<boolean> {
  let from = basedOn;
  for (let step = 0; from !== null && step < mostCorrections; step++) {
    const version = await findVersion(db, clipID, from);
    if (version?.isTimed) return true;
    from = version?.basedOn ?? null;
  }
  return false;
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
  const given = await expectedWords(parts.db, task.clipID, current);
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
      segments: keepUnconfirmed(cutWords(words), current.segments),
      isTimed: true,
      fileID,
      basedOn: current.version,
      eventID: task.eventID,
    });
  });
}
