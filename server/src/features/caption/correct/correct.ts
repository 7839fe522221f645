import type { Caption, CaptionCorrection } from '@earshot/contract/caption';
import { conflict, invalidField, notFound } from '../../../errors.ts';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { cutWords } from '../../../platform/listening/cut-words.ts';
import type { Word } from '../../../platform/listening/engine.ts';
import { keepWordTimes, certain } from './word-times.ts';
import type { StoredVersion } from '../queries.ts';
import { findCurrent, findVersion } from '../queries.ts';
import { readCaption } from '../read/read.ts';
import type { LockedClip } from '../version-queries.ts';
import { addVersion, lockCaption } from '../version-queries.ts';
import { requireClip, timesShown } from '../../audio-clip/public.ts';

export async function saveCorrection(
  db: Pool,
  caller: Caller,
  clipID: number,
  given: CaptionCorrection,
): Promise<Caption> {
  if ((given.transcript === undefined) === (given.words === undefined))
    throw invalidField('transcript', 'or words is required, and not both');
  const clip = await requireClip(db, caller, 'write', clipID);
  const { startMs, endMs } = timesShown(clip);
  await inTransaction(db, async (tx) => {
    const locked = await requireLocked(tx, clipID);
    if (given.version !== undefined && given.version !== locked.version)
      throw conflict(`Version ${locked.version ?? 'none'} is current, not ${given.version}.`);
    const current = await findCurrent(tx, clipID);
    const former = current?.segments.flatMap(({ words }) => words) ?? [];
    const words = given.words
      ? timedWords(given.words)
      : keepWordTimes(given.transcript ?? '', former, endMs === null ? 0 : endMs - startMs);
    await addByHand(tx, caller, locked, current, {
      transcript: given.transcript ?? words.map(({ text }) => text).join(' '),
      segments: cutWords(words),
      isTimed: given.words !== undefined || words.length === 0,
    });
  });
  return readCaption(db, caller, clipID);
}

function timedWords(words: readonly Omit<Word, 'confidence'>[]): Word[] {
  for (const [at, { startMs, endMs }] of words.entries()) {
    if (endMs < startMs) throw invalidField(`words[${at}].endMs`, 'must not be before startMs');
    if (startMs < (words[at - 1]?.startMs ?? 0))
      throw invalidField(`words[${at}].startMs`, 'must not be before that of the word before');
  }
  return words.map((word) => ({ ...word, confidence: certain }));
}

/** Copies a former version as the newest one. No version is ever overwritten. */
export async function restoreVersion(db: Pool, caller: Caller, clipID: number, version: number): Promise<Caption> {
  await readCaption(db, caller, clipID);
  await requireClip(db, caller, 'write', clipID);
  await inTransaction(db, async (tx) => {
    const locked = await requireLocked(tx, clipID);
    const former = await findVersion(tx, clipID, version);
    if (!former) throw notFound('version', version);
    await addByHand(tx, caller, locked, former, former);
  });
  return readCaption(db, caller, clipID);
}

async function requireLocked(tx: Db, clipID: number): Promise<LockedClip> {
  const locked = await lockCaption(tx, clipID);
  if (!locked) throw notFound('audio clip', clipID);
  return locked;
}

type Content = Pick<StoredVersion, 'transcript' | 'segments' | 'isTimed'>;

/** Language and engine are those of the version that it was made from. */
const addByHand = (tx: Db, caller: Caller, clip: LockedClip, from: StoredVersion | undefined, content: Content) =>
  addVersion(tx, clip, {
    ...content,
    origin: 'hand',
    fileID: clip.fileID,
    language: from?.language ?? null,
    isLanguageKnown: from?.isLanguageKnown ?? true,
    engineName: from?.engineName ?? null,
    engineVersion: from?.engineVersion ?? null,
    basedOn: from?.version ?? null,
    eventID: null,
    createdBy: caller.userID,
  });
