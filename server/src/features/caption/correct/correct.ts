import type { Caption, CaptionCorrection } from '@earshot/contract/caption';
import type { CaptionConfirmation } from '@earshot/contract/caption-version';
import { conflict, invalidField, notFound } from '../../../errors.ts';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { cutWords } from '../../../platform/listening/cut-words.ts';
import type { Word } from '../../../platform/listening/engine.ts';
import { findCorrectedTerms } from './corrected-terms.ts';
import { keepWordTimes, certain } from './word-times.ts';
import { confirmSegments, keepUnconfirmed, transcriptOf } from '../segments.ts';
import type { StoredVersion } from '../queries.ts';
import { findCurrent, findVersion } from '../queries.ts';
import { readCaption } from '../read/read.ts';
import type { LockedClip } from '../version-queries.ts';
import { addVersion, lockCaption } from '../version-queries.ts';
import { requireClip, timesShown } from '../../audio-clip/public.ts';
import { noteCorrectedTerms } from '../../vocabulary/public.ts';

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
    if (given.version !== undefined) requireCurrent(locked, given.version);
    const current = await findCurrent(tx, clipID);
    const former = current?.segments.flatMap(({ words }) => words) ?? [];
    const words = given.words
      ? timedWords(given.words)
      : keepWordTimes(given.transcript ?? '', former, endMs === null ? 0 : endMs - startMs);
    const transcript = given.transcript ?? words.map(({ text }) => text).join(' ');
    const terms = findCorrectedTerms(
      former.map(({ text }) => text),
      words.map(({ text }) => text),
    );
    await noteCorrectedTerms(tx, clipID, terms, transcript);
    await addByHand(tx, caller, locked, current, {
      transcript,
      segments: keepUnconfirmed(cutWords(words), current?.segments ?? []),
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

/** Confirms words whose language was in doubt: only people do, because no engine wrote them as what was said. */
export async function confirmWords(
  db: Pool,
  caller: Caller,
  clipID: number,
  { version, ...range }: CaptionConfirmation = {},
): Promise<Caption> {
  await readCaption(db, caller, clipID);
  await requireClip(db, caller, 'write', clipID);
  await inTransaction(db, async (tx) => {
    const locked = await requireLocked(tx, clipID);
    if (version !== undefined) requireCurrent(locked, version);
    const current = await findCurrent(tx, clipID);
    const confirmed = current && confirmSegments({ ...current, language: current.language ?? undefined }, range);
    if (!confirmed) return;
    const { segments, isTimed } = confirmed;
    const from = { ...current, language: confirmed.language ?? null, isLanguageKnown: confirmed.isLanguageKnown };
    await addByHand(tx, caller, locked, from, { transcript: transcriptOf(segments), segments, isTimed });
  });
  return readCaption(db, caller, clipID);
}

function requireCurrent(locked: LockedClip, version: number): void {
  if (version !== locked.version) throw conflict(`Version ${locked.version ?? 'none'} is current, not ${version}.`);
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
    author: caller,
  });
