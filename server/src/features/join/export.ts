import { createHash } from 'node:crypto';
import type { SoundExports } from '@earshot/contract/audio-clip-export';
import type { ExportAudioClips } from '@earshot/contract/audio-clip-join';
import type { Event } from '@earshot/contract/event';
import { conflict, notFound, Refusal } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireDevice } from '../../access.ts';
import { requireDeviceNamed } from '../device/public.ts';
import type { CallingParts } from '../event/public.ts';
import { readEvent } from '../event/public.ts';
import type { ExportLimits } from './export-limits.ts';
import { explainNoRoom } from './export-limits.ts';
import { findStarted, findUse, insertExport, listExports, lockMaker } from './export-queries.ts';
import type { JoinableClip } from './queries.ts';
import { findClipsOfRange } from './queries.ts';
import type { PreparedJoin } from './enqueue.ts';
import { enqueueJoin, inMilliseconds, clipKeys, mostClips, prepareJoin, readCommon, requireFew } from './enqueue.ts';

export interface ExportParts extends CallingParts {
  readonly exportLimits: ExportLimits;
}

/** A person who may only read the device may ask for an export; equal requests of one person are one. */
export async function exportClips(parts: ExportParts, caller: Caller, given: ExportAudioClips): Promise<Event> {
  const { db } = parts;
  const deviceID = given.deviceID || (await requireDeviceNamed(db, caller, 'read', given));
  await requireDevice(db, caller, 'read', deviceID);
  const common = readCommon(parts, given, true);
  const clips = await findClipsOfRange(db, { deviceID, ...inMilliseconds(given), onlyHere: true, most: mostClips + 1 });
  requireFew(clips);
  if (clips.length === 0) throw conflict('The server has no sound of this device in this range.');
  const parameters = { ...common, format: given.format ?? ('wav' as const), audioClips: clipKeys(clips) };
  const prepared = await prepareJoin(db, { deviceID, parameters, timeout: given.timeout, byPlatform: true });
  const requestSha256 = hashRequest(prepared, clips);
  const { event, isNew } = await inTransaction(db, async (tx) => {
    const equalEventID = await requireRoom(parts, tx, caller, deviceID, requestSha256);
    if (equalEventID !== null) return { event: await readEvent(tx, caller, equalEventID), isNew: false };
    const enqueued = await enqueueJoin(tx, parts, caller, prepared);
    await insertExport(tx, caller, { eventID: enqueued.key, deviceID, requestSha256 });
    return { event: enqueued, isNew: true };
  });
  if (isNew) db.afterCommit(() => parts.wakeups.add([deviceID]));
  return event;
}

/** Null if a result or an outcome is sent to an address: then each request is one of its own. */
function hashRequest({ parameters, seconds }: PreparedJoin, clips: readonly JoinableClip[]): Buffer | null {
  const { uploadURL, postbackURL, startEpoch, endEpoch, gaps, format } = parameters;
  if (uploadURL !== undefined || postbackURL !== undefined) return null;
  // A clip that was given another time is placed elsewhere in the result, although its sound is the same.
  const sound = clips.map(({ key, startMs, endMs, fileID, sha256 }) => [key, startMs, endMs, sha256 ?? fileID]);
  return createHash('sha256')
    .update(JSON.stringify([startEpoch, endEpoch, gaps, format, seconds, sound]))
    .digest();
}

/** The event of an equal request, else null; throws if the person has no room for a further export. */
async function requireRoom(
  { exportLimits }: ExportParts,
  tx: Db,
  caller: Caller,
  deviceID: number,
  requestSha256: Buffer | null,
): Promise<number | null> {
  await lockMaker(tx, caller.userID);
  const started = await findStarted(tx, caller, deviceID, requestSha256);
  if (!started) throw notFound('device', deviceID);
  if (started.equalEventID !== null || started.isOwner) return started.equalEventID;
  const refusal = explainNoRoom(exportLimits, started);
  if (refusal !== undefined) throw new Refusal('tooMany', refusal, { headers: { 'retry-after': '60' } });
  return null;
}

export async function findExports({ db, exportLimits }: ExportParts, caller: Caller): Promise<SoundExports> {
  const exports = await listExports(db, caller);
  const { count, bytes } = await findUse(db, caller);
  return {
    exports,
    mostExports: exportLimits.most,
    mostBytes: exportLimits.mostBytes,
    countedExports: count,
    countedBytes: bytes,
  };
}
