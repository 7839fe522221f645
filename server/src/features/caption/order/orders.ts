import { defaultMaxLabels, defaultMinConfidence } from '@earshot/contract/caption';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { requireValue } from '../../../platform/database/stored.ts';
import type { ClipToCaption } from './queries.ts';
import { findClipsToCaption, putOrders, putWordRequest, removeWordRequests } from './queries.ts';
import { enqueueEvents, requireEventType } from '../../event/public.ts';

/*
 * How clips are queued for captioning. Every transaction that sets the file of a clip calls `orderCaptions`, so the
 * event exists exactly when the sound does. Clips call it as a service (`server/src/feature.ts`), because captions import
 * clips.
 */

/** Above 0, so that newly uploaded sound is captioned before bulk requests. */
const urgent = 1;
/** Of clips that a rule watches for words: they come first, in at most half of the turns of their owner. */
export const watchedPriority = urgent + 1;
/** After this many failed attempts the event ends with the reason of the failure. */
export const captionAttempts = 3;

export interface LabelBounds {
  readonly maxLabels: number;
  readonly minConfidence: number;
}

/** The `eventParameters` of a captioning event. */
export interface CaptionParameters extends LabelBounds {
  readonly audioClips?: readonly number[] | undefined;
  readonly startEpoch?: number | undefined;
  readonly endEpoch?: number | undefined;
  readonly again?: boolean | undefined;
  readonly engine?: string | undefined;
}

export const usualBounds: LabelBounds = { maxLabels: defaultMaxLabels, minConfidence: defaultMinConfidence };

/**
 * Queues the captioning of clips that got their file in this transaction, if their device captions all clips or
 * somebody requested it. Skips clips whose caption is queued or was made from this file. Returns the devices with new
 * events, which the caller wakes up after the commit.
 */
export async function orderCaptions(tx: Db, caller: Caller, clipIDs: readonly number[]): Promise<readonly number[]> {
  if (clipIDs.length === 0) return [];
  const clips = await findClipsToCaption(tx, clipIDs);
  if (clips.length === 0) return [];
  const due = clips.filter(({ isDue }) => isDue);
  const withWordRequest = clips.filter(({ areWordsRequested }) => areWordsRequested);
  const eventIDs = await enqueueForClips(tx, caller, 'Caption_audio', due);
  await putOrders(
    tx,
    due.map(({ clipID }, index) => ({
      clipID,
      eventID: requireValue(eventIDs[index], 'events.key of a caption order'),
    })),
  );
  await enqueueForClips(tx, caller, 'Caption_words', withWordRequest);
  await removeWordRequests(
    tx,
    withWordRequest.map(({ clipID }) => clipID),
  );
  return [...new Set(clips.map(({ deviceID }) => deviceID))];
}

/** Queues the timing of a clip's words, or notes the request until the sound is uploaded. */
export async function orderWords(
  tx: Db,
  caller: Caller,
  clip: { clipID: number; deviceID: number; isAvailable: boolean },
) {
  if (!clip.isAvailable) return putWordRequest(tx, caller.userID, clip.clipID);
  await enqueueForClips(tx, caller, 'Caption_words', [clip]);
}

type ClipOfDevice = Pick<ClipToCaption, 'clipID' | 'deviceID'> & Partial<Pick<ClipToCaption, 'isWatched'>>;

async function enqueueForClips(tx: Db, caller: Caller, eventType: string, clips: readonly ClipOfDevice[]) {
  if (clips.length === 0) return [];
  const { eventTypeID, agentTypeID } = await requireEventType(tx, { eventType });
  const events = await enqueueEvents(
    tx,
    clips.map(({ clipID, deviceID, isWatched }) => ({
      deviceID,
      eventTypeID,
      agentTypeID,
      serverEvent: 1 as const,
      eventParameters: JSON.stringify({ audioClips: [clipID], ...usualBounds } satisfies CaptionParameters),
      priority: isWatched ? watchedPriority : urgent,
      expirationEpoch: 0,
      maxAttempts: captionAttempts,
      tagString: null,
      tagNumber: null,
    })),
    caller,
  );
  return events.map(({ key }) => key);
}
