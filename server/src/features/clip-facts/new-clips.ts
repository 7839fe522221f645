import type { MeasureParts } from './measure.ts';
import { measureClip, NotMeasurable } from './measure.ts';
import type { TakenNote } from './store-queries.ts';
import { findClipToMeasure, postponeNote, removeNote, renewNote, storeFacts, takeNote } from './store-queries.ts';

/** A node that dies while it measures holds the note for this long. */
export const leaseSeconds = 120;
const mostAttempts = 3;
const retrySeconds = 60;

/** Measures the next clip that got its sound, if any. Returns whether there was one. */
export async function measureNewClip(parts: MeasureParts, signal: AbortSignal): Promise<boolean> {
  const note = await takeNote(parts.db, leaseSeconds);
  if (!note) return false;
  const renewing = setInterval(
    () => void renewNote(parts.db, note.clipID, leaseSeconds).catch(() => {}),
    (leaseSeconds * 1000) / 4,
  );
  try {
    await measureNoted(parts, note, signal);
  } finally {
    clearInterval(renewing);
  }
  return true;
}

async function measureNoted(parts: MeasureParts, { clipID, attempts }: TakenNote, signal: AbortSignal): Promise<void> {
  const { db } = parts;
  const clip = await findClipToMeasure(db, clipID);
  if (!clip) return removeNote(db, clipID);
  try {
    const facts = await measureClip(parts, clip, signal);
    // The note of a clip that has another file by now is due again.
    if (!(await storeFacts(db, clipID, clip.fileID, facts))) await postponeNote(db, clipID, 0);
  } catch (error) {
    if (signal.aborted) return postponeNote(db, clipID, 0);
    if (!(error instanceof NotMeasurable)) throw error;
    if (attempts < mostAttempts) return postponeNote(db, clipID, retrySeconds);
    if (!(await storeFacts(db, clipID, clip.fileID, { fault: error.message }))) await postponeNote(db, clipID, 0);
  }
}
