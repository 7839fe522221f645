import { inTransaction } from '../../platform/database/connect.ts';
import { JobFailure } from '../../platform/events/jobs.ts';
import { cutWords } from '../../platform/listening/cut-words.ts';
import type { Listening } from '../../platform/listening/engine.ts';
import { certain } from './carried-times.ts';
import { findHearable } from './hearing-queries.ts';
import type { Hearing, HearingParts } from './hearing.ts';
import { captionClip, withSound } from './hearing.ts';
import type { StoredVersion } from './queries.ts';
import { findCurrent } from './queries.ts';
import { addVersion, isMadeBy, lockCaption } from './store.ts';

/**
 * Finds the times of the words of a clip, and tells how that went: an engine's words have theirs already, a clip that
 * was not heard is, and words written by hand are looked for in the sound.
 */
export async function timeWords(parts: HearingParts, hearing: Hearing, listening: Listening): Promise<string> {
  const { db } = parts;
  const { clipID, eventID } = hearing;
  const clip = await findHearable(db, clipID);
  const current = await findCurrent(db, clipID);
  if (!clip) return told('The clip is gone.');
  if (!clip.isCaptioned || !current) {
    const outcome = await captionClip(parts, hearing, listening);
    return told(outcome === 'captioned' ? 'The clip was captioned.' : `The clip ${outcome}.`);
  }
  if (current.isTimed) return told('Its words have their times already.');
  if (await isMadeBy(db, clipID, eventID)) return told('The words were found.');
  if (!clip.isHere || clip.fileID === null) return told('The clip has no sound.');
  await placeWords(parts, hearing, { current, fileID: clip.fileID, storageName: clip.storageName ?? '' }, listening);
  return told('The words were found.');
}

const told = (outcome: string): string => JSON.stringify({ outcome });

interface ToPlace {
  readonly current: StoredVersion;
  readonly fileID: number;
  readonly storageName: string;
}

/** As a version of its own, by whoever wrote the words; unless somebody wrote others meanwhile, which have their own turn. */
async function placeWords(
  parts: HearingParts,
  hearing: Hearing,
  { current, fileID, storageName }: ToPlace,
  listening: Listening,
) {
  const { aligner } = parts.ears;
  if (!aligner) throw new JobFailure('No engine here finds words in sound.');
  const written = current.segments.flatMap(({ words }) => words);
  // Where nothing was heard before, the times that words got by being written are no hint to where they are said.
  const given = current.basedOn === null ? written.map(({ text }) => ({ text })) : written;
  const found = await withSound(parts, storageName, listening.signal, (open) =>
    aligner.align(open(), given, listening),
  );
  const words = found.map((word) => ({ ...word, confidence: certain }));
  await inTransaction(parts.db, async (tx) => {
    const clip = await lockCaption(tx, hearing.clipID);
    if (!clip || clip.version !== current.version || clip.fileID !== fileID) return;
    await addVersion(tx, clip, {
      ...current,
      segments: cutWords(words),
      isTimed: true,
      fileID,
      basedOn: current.version,
      eventID: hearing.eventID,
    });
  });
}
