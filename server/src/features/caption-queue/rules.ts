import { defaultMaxLabels, defaultMinConfidence } from '@earshot/contract/caption';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { enqueueEvents } from '../event/rules.ts';
import { requireEventType } from '../event-type/rules.ts';
import type { ClipToHear } from './queries.ts';
import { findClipsToHear, putOrders, putWish, removeWishes } from './queries.ts';

/*
 * How clips come to be listened to. Whatever gives a clip its sound calls `orderCaptions` in the same transaction: the
 * event is there exactly when the sound is. This stands apart from the captions themselves, which stand on clips.
 */

/** Sound that comes now is waited for; what is asked for in bulk can wait for it. */
const urgent = 1;
/** Then the clip is given up, and its event says why. */
export const captionAttempts = 3;

export interface LabelBounds {
  readonly maxLabels: number;
  readonly minConfidence: number;
}

/** What an event for captioning says. */
export interface CaptionParameters extends LabelBounds {
  readonly audioClips?: readonly number[] | undefined;
  readonly startEpoch?: number | undefined;
  readonly endEpoch?: number | undefined;
  readonly again?: boolean | undefined;
  readonly engine?: string | undefined;
}

export const usualBounds: LabelBounds = { maxLabels: defaultMaxLabels, minConfidence: defaultMinConfidence };

/**
 * Has clips captioned that got their sound in this transaction, where their device wants it or somebody asked for it. A
 * clip whose caption is under way or made of this very sound is left alone. The devices concerned, to be woken up.
 */
export async function orderCaptions(tx: Db, caller: Caller, clipIDs: readonly number[]): Promise<readonly number[]> {
  if (clipIDs.length === 0) return [];
  const clips = await findClipsToHear(tx, clipIDs);
  if (clips.length === 0) return [];
  const due = clips.filter(({ isDue }) => isDue);
  const wished = clips.filter(({ isWished }) => isWished);
  const eventIDs = await enqueueForClips(tx, caller, 'Caption_audio', due);
  await putOrders(
    tx,
    due.map(({ clipID }, index) => ({ clipID, eventID: eventIDs[index] ?? 0 })),
  );
  await enqueueForClips(tx, caller, 'Caption_words', wished);
  await removeWishes(
    tx,
    wished.map(({ clipID }) => clipID),
  );
  return [...new Set(clips.map(({ deviceID }) => deviceID))];
}

/** Has the words of a clip timed, now or when its sound comes. */
export async function orderWords(tx: Db, caller: Caller, clip: { clipID: number; deviceID: number; isHere: boolean }) {
  if (!clip.isHere) return putWish(tx, caller.userID, clip.clipID);
  await enqueueForClips(tx, caller, 'Caption_words', [clip]);
}

type ClipOfDevice = Pick<ClipToHear, 'clipID' | 'deviceID'>;

async function enqueueForClips(tx: Db, caller: Caller, eventType: string, clips: readonly ClipOfDevice[]) {
  if (clips.length === 0) return [];
  const { eventTypeID, agentTypeID } = await requireEventType(tx, { eventType });
  const events = await enqueueEvents(
    tx,
    clips.map(({ clipID, deviceID }) => ({
      deviceID,
      eventTypeID,
      agentTypeID,
      serverEvent: 1 as const,
      eventParameters: JSON.stringify({ audioClips: [clipID], ...usualBounds } satisfies CaptionParameters),
      priority: urgent,
      expirationEpoch: 0,
      maxAttempts: captionAttempts,
      tagString: null,
      tagNumber: null,
    })),
    caller,
  );
  return events.map(({ key = 0 }) => key);
}
