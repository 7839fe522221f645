import type { UploadAudioClips } from '@earshot/contract/audio-clip';
import { invalid } from '../../../errors.ts';
import type { Db } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import { requireValue } from '../../../platform/database/stored.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { requireDevice } from '../../../access.ts';
import { lockClipsOf, setUploadRequested } from './request-sound-queries.ts';
import type { EventParts } from '../../event/public.ts';
import { enqueueAll, requireEventType } from '../../event/public.ts';

const uploadAttempts = 3;
const mostErrors = 20;

/**
 * The event and the clips' statuses change in one transaction, so a clip is marked as requested only if its event
 * exists.
 */
export async function requestSound({ db, wakeups }: EventParts, caller: Caller, given: UploadAudioClips) {
  const { deviceID } = given;
  const audioClips = [...new Set(given.audioClips)];
  await inTransaction(db, async (tx) => {
    await requireDevice(tx, caller, 'write', deviceID);
    const locked = new Set(await lockClipsOf(tx, deviceID, audioClips));
    const ofOthers = given.audioClips.flatMap((key, index) =>
      locked.has(key) ? [] : [{ path: `audioClips[${index}]`, message: `${key} is not a clip of this device` }],
    );
    if (ofOthers.length > 0) throw invalid(ofOthers.slice(0, mostErrors));
    await enqueueUpload(tx, caller, deviceID, audioClips);
  });
  db.afterCommit(() => wakeups.add([deviceID]));
}

/** Asks for the sound of those clips that are on the device; undefined if there are none. */
export async function requestSoundByRule(
  tx: Db,
  owner: Caller,
  deviceID: number,
  clips: readonly number[],
): Promise<{ readonly eventID: number; readonly audioClips: readonly number[] } | undefined> {
  const audioClips = await lockClipsOf(tx, deviceID, clips);
  if (audioClips.length === 0) return undefined;
  const { key } = await enqueueUpload(tx, owner, deviceID, audioClips);
  return { eventID: key, audioClips };
}

/** Of clips that are locked. */
async function enqueueUpload(tx: Db, caller: Caller, deviceID: number, audioClips: readonly number[]) {
  const { eventTypeID, agentTypeID } = await requireEventType(tx, { eventType: 'Upload_audio_clips' });
  const [event] = await enqueueAll(tx, caller, [deviceID], {
    eventTypeID,
    agentTypeID,
    eventParameters: JSON.stringify({ audioClips }),
    maxAttempts: uploadAttempts,
  });
  await setUploadRequested(tx, caller, audioClips);
  return requireValue(event, 'an enqueued event');
}
