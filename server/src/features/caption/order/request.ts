import { audioClipStatus as clipStatus } from '@earshot/contract/audio-clip-status';
import type { CaptionRequest } from '@earshot/contract/caption';
import { invalid, invalidField } from '../../../errors.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { requireDevice } from '../../../access.ts';
import type { CaptionParameters, LabelBounds } from './orders.ts';
import { captionAttempts, orderWords, usualBounds } from './orders.ts';
import { findClipsOf } from '../transcribe/task-queries.ts';
import { lockClip, requireClip } from '../../audio-clip/public.ts';
import { requireDeviceNamed } from '../../device/public.ts';
import type { EventParts } from '../../event/public.ts';
import { enqueueAll, requireEventType } from '../../event/public.ts';

const mostErrors = 20;

export interface RequestParts {
  readonly events: EventParts;
  /** The engines that a request may name. */
  readonly usableEngines: readonly string[];
}

/** One event for all clips of the request. Which clips these are is determined when the event is processed. */
export async function requestCaptions(
  { events: { db, wakeups }, usableEngines }: RequestParts,
  caller: Caller,
  deviceSerial: string,
  bounds: Partial<LabelBounds>,
  given: CaptionRequest = {},
): Promise<void> {
  const deviceID = await requireDeviceNamed(db, caller, 'read', { deviceSerial });
  await requireDevice(db, caller, 'write', deviceID);
  const { startEpoch, endEpoch, again, engine } = given;
  if (startEpoch !== undefined && endEpoch !== undefined && endEpoch < startEpoch)
    throw invalidField('endEpoch', 'must not be before startEpoch');
  if (engine !== undefined && !usableEngines.includes(engine))
    throw invalidField('engine', `must be ${usableEngines.join(', ') || 'left out: captions are switched off'}`);
  const audioClips = given.audioClips?.length ? [...new Set(given.audioClips)] : undefined;
  if (audioClips) {
    const own = await findClipsOf(db, deviceID, audioClips);
    const ofOthers = given.audioClips?.flatMap((key, index) =>
      own.has(key) ? [] : [{ path: `audioClips[${index}]`, message: `${key} is not a clip of this device` }],
    );
    if (ofOthers?.length) throw invalid(ofOthers.slice(0, mostErrors));
  }
  const parameters: CaptionParameters = {
    audioClips,
    startEpoch,
    endEpoch,
    again,
    engine,
    maxLabels: bounds.maxLabels ?? given.maxLabels ?? usualBounds.maxLabels,
    minConfidence: bounds.minConfidence ?? given.minConfidence ?? usualBounds.minConfidence,
  };
  const type = await requireEventType(db, { eventType: 'Caption_audio' });
  const template = { ...type, eventParameters: JSON.stringify(parameters), maxAttempts: captionAttempts };
  await enqueueAll(db, caller, [deviceID], template, 1);
  db.afterCommit(() => wakeups.add([deviceID]));
}

export async function requestWords({ events: { db, wakeups } }: RequestParts, caller: Caller, clipID: number) {
  const { deviceID } = await requireClip(db, caller, 'write', clipID);
  await inTransaction(db, async (tx) => {
    // Locked, so that a concurrent upload either is seen here or finds the request.
    const { audioClipStatus } =
      (await lockClip(tx, caller, clipID)) ?? (await requireClip(tx, caller, 'write', clipID));
    await orderWords(tx, caller, { clipID, deviceID, isAvailable: audioClipStatus === clipStatus.available });
  });
  wakeups.add([deviceID]);
}
