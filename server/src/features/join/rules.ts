import type { ConcatenateAudioClipsArgs } from '@earshot/contract/audio-clip-join';
import type { Event } from '@earshot/contract/event';
import { conflict, invalidField } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireDevice } from '../../access.ts';
import { recordAct } from '../audit/public.ts';
import { requireDeviceNamed } from '../device/public.ts';
import type { CallingParts } from '../event/public.ts';
import { enqueueJoin, inMilliseconds, clipKeys, mostClips, prepareJoin, readCommon, requireFew } from './enqueue.ts';
import type { JoinableClip } from './queries.ts';
import { findClipsOfRange, findJoinableClips } from './queries.ts';

const mostNamed = 10;

export async function concatenateClips(
  parts: CallingParts,
  caller: Caller,
  given: ConcatenateAudioClipsArgs,
  byPlatform: boolean,
): Promise<Event> {
  const { db, wakeups } = parts;
  const deviceID = given.deviceID || (await requireDeviceNamed(db, caller, 'read', given));
  await requireDevice(db, caller, 'write', deviceID);
  const common = readCommon(parts, given, byPlatform);
  const clips = await chooseClips(db, deviceID, given);
  if (byPlatform) requireSound(clips);
  const parameters = { ...common, format: given.format ?? ('same' as const), audioClips: clipKeys(clips) };
  const prepared = await prepareJoin(db, { deviceID, parameters, timeout: given.timeout, byPlatform });
  const event = await inTransaction(db, async (tx) => {
    const enqueued = await enqueueJoin(tx, parts, caller, prepared);
    await recordAct(tx, caller, 'sound-exported', { recordID: enqueued.key, deviceID });
    return enqueued;
  });
  db.afterCommit(() => wakeups.add([deviceID]));
  return event;
}

async function chooseClips(db: Db, deviceID: number, given: ConcatenateAudioClipsArgs): Promise<JoinableClip[]> {
  if (given.audioClips?.length) return requireGiven(db, deviceID, given.audioClips);
  const clips = await findClipsOfRange(db, {
    deviceID,
    ...inMilliseconds(given),
    onlyHere: false,
    most: mostClips + 1,
  });
  requireFew(clips);
  if (clips.length === 0) throw invalidField('startEpoch', 'and endEpoch contain no clip of this device');
  return clips;
}

async function requireGiven(db: Db, deviceID: number, given: readonly { key?: number }[]): Promise<JoinableClip[]> {
  const keys = given.map(({ key }, index) => {
    if (key === undefined) throw invalidField(`audioClips[${index}].key`, 'is required');
    return key;
  });
  const clips = await findJoinableClips(db, deviceID, keys);
  const found = new Set(clipKeys(clips));
  const wrong = keys.findIndex((key) => !found.has(key));
  if (wrong >= 0) throw invalidField(`audioClips[${wrong}].key`, 'must be a clip of this device');
  return clips;
}

function requireSound(clips: readonly JoinableClip[]): void {
  const missing = clips.filter(({ isAvailable }) => !isAvailable);
  if (missing.length === 0) return;
  const named = clipKeys(missing.slice(0, mostNamed)).join(', ');
  const more = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : '';
  throw conflict(
    `The sound of ${missing.length === 1 ? 'clip' : 'clips'} ${named}${more} is not on the server; request its upload first.`,
  );
}
