import { useMemo, useState } from 'preact/hooks';
import { api, errorMessage, statusOf } from '../../lib/api.ts';
import type { Draft } from '../../lib/drafts.ts';
import { drafts } from '../../lib/drafts.ts';
import { refresh } from '../../lib/query.ts';
import { signedInUser } from '../../lib/session.ts';
import type { CorrectionDraft } from './correction.ts';
import { Correction } from './correction.ts';
import type { TextDraft } from './edit.tsx';

interface KeptDraft<Value> {
  /** The draft of an earlier visit, until the person continues or discards it. */
  readonly offered: Draft<Value> | undefined;
  readonly take: () => Value | undefined;
  readonly discard: () => void;
  /** Returns whether the browser keeps it. */
  readonly keep: (value: Value | undefined) => boolean;
}

/** A draft of the user for a clip. */
function useDraft<Value>(name: string): KeptDraft<Value> {
  const { userID = 0 } = signedInUser();
  const [offered, setOffered] = useState(() => drafts.read<Value>(userID, name));
  const keep = (value: Value | undefined): boolean => {
    if (value !== undefined) return drafts.write(userID, name, value);
    drafts.remove(userID, name);
    return true;
  };
  const take = () => {
    setOffered(undefined);
    return offered?.value;
  };
  const discard = () => {
    setOffered(undefined);
    keep(undefined);
  };
  return { offered, take, discard, keep };
}

export const useTextDraft = (clipID: number): KeptDraft<TextDraft> => useDraft<TextDraft>(`text ${clipID}`);

/** The correction of a clip's words, and its draft. */
export function useCorrection(clipID: number): readonly [Correction, KeptDraft<CorrectionDraft>] {
  const draft = useDraft<CorrectionDraft>(`words ${clipID}`);
  const correction = useMemo(() => new Correction({ keep: draft.keep, send: sender(clipID) }), [clipID]);
  return [correction, draft];
}

const sender = (captionID: number) => async (transcript: string, version: number) => {
  try {
    const saved = await api.correctCaption({ params: { captionID }, body: { transcript, version } });
    return saved.version ?? version + 1;
  } catch (error) {
    if (statusOf(error) === 409) return 'overtaken';
    throw new Error(errorMessage(error), { cause: error });
  } finally {
    refresh([`caption ${captionID}`]);
  }
};
