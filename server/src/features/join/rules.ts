import type { ConcatenateAudioClipsArgs, ExportAudioClips } from '@earshot/contract/audio-clip-join';
import type { Event } from '@earshot/contract/event';
import { conflict, invalidField } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireDevice } from '../../access.ts';
import { recordAct } from '../audit/public.ts';
import type { JoinableClip } from './queries.ts';
import { findJoinableClips, findClipsOfRange, readDatabaseEpoch } from './queries.ts';
import { readTimeout } from './timeout.ts';
import { requireDeviceNamed } from '../device/public.ts';
import type { CallingParts } from '../event/public.ts';
import {
  enqueueAll,
  requireCallableURL,
  requireEventType,
  requireURL,
  sealSecrets,
  withoutQuery,
} from '../event/public.ts';

/** The `eventParameters` of a join, for an agent or for the platform's own worker. */
export interface JoinParameters {
  readonly audioClips: readonly number[];
  readonly startEpoch?: number | undefined;
  readonly endEpoch?: number | undefined;
  readonly gaps: 'silence' | 'close';
  readonly format: 'same' | 'wav' | 'flac' | 'mp3' | 'opus';
  readonly uploadURL?: string | undefined;
  readonly postbackURL?: string | undefined;
}

interface JoinRequest {
  readonly parameters: JoinParameters;
  readonly deviceID: number;
  readonly timeout: string | number | undefined;
  readonly byPlatform: boolean;
}

const mostClips = 10_000;
const mostNamed = 10;
/** The platform retries if the receiver of the sound is unavailable. A device decides itself whether to retry. */
const platformAttempts = 3;

export async function concatenateClips(
  parts: CallingParts,
  caller: Caller,
  given: ConcatenateAudioClipsArgs,
  byPlatform: boolean,
): Promise<Event> {
  const { db } = parts;
  const deviceID = given.deviceID || (await requireDeviceNamed(db, caller, 'read', given));
  await requireDevice(db, caller, 'write', deviceID);
  requireRange(given);
  const clips = await chooseClips(db, deviceID, given);
  if (byPlatform) requireSound(clips);
  const parameters = {
    ...common(parts, given, byPlatform),
    format: given.format ?? ('same' as const),
    audioClips: keysOf(clips),
  };
  return enqueueJoin(parts, caller, { deviceID, parameters, timeout: given.timeout, byPlatform });
}

export async function exportClips(parts: CallingParts, caller: Caller, given: ExportAudioClips): Promise<Event> {
  const { db } = parts;
  const deviceID = given.deviceID || (await requireDeviceNamed(db, caller, 'read', given));
  await requireDevice(db, caller, 'read', deviceID);
  requireRange(given);
  const clips = await findClipsOfRange(db, { deviceID, ...inMilliseconds(given), onlyHere: true, most: mostClips + 1 });
  requireFew(clips);
  if (clips.length === 0) throw conflict('The server has no sound of this device in this range.');
  const parameters = {
    ...common(parts, given, true),
    format: given.format ?? ('wav' as const),
    audioClips: keysOf(clips),
  };
  return enqueueJoin(parts, caller, { deviceID, parameters, timeout: given.timeout, byPlatform: true });
}

const keysOf = (clips: readonly JoinableClip[]) => clips.map(({ key }) => key);

function common(parts: CallingParts, given: ConcatenateAudioClipsArgs | ExportAudioClips, byPlatform: boolean) {
  const { uploadURL, postbackURL } = given;
  const readUploadURL = byPlatform ? requireCallableURL.bind(undefined, parts) : requireURL;
  return {
    startEpoch: given.startEpoch,
    endEpoch: given.endEpoch,
    gaps: given.gaps ?? ('silence' as const),
    uploadURL: uploadURL ? readUploadURL('uploadURL', uploadURL) : undefined,
    postbackURL: postbackURL ? requireCallableURL(parts, 'postbackURL', postbackURL) : undefined,
  };
}

interface EpochRange {
  readonly startEpoch?: number | undefined;
  readonly endEpoch?: number | undefined;
}

function requireRange({ startEpoch, endEpoch }: EpochRange): void {
  if (startEpoch !== undefined && endEpoch !== undefined && endEpoch < startEpoch)
    throw invalidField('endEpoch', 'must not be before startEpoch');
}

const inMilliseconds = ({ startEpoch, endEpoch }: EpochRange) => ({
  fromMs: startEpoch === undefined ? undefined : startEpoch * 1000,
  toMs: endEpoch === undefined ? undefined : endEpoch * 1000,
});

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
  const found = new Set(keysOf(clips));
  const wrong = keys.findIndex((key) => !found.has(key));
  if (wrong >= 0) throw invalidField(`audioClips[${wrong}].key`, 'must be a clip of this device');
  return clips;
}

function requireFew(clips: readonly JoinableClip[]): void {
  if (clips.length > mostClips)
    throw invalidField('endEpoch', `leaves more than ${mostClips} clips in the range; join it in parts`);
}

function requireSound(clips: readonly JoinableClip[]): void {
  const missing = clips.filter(({ isHere }) => !isHere);
  if (missing.length === 0) return;
  const named = keysOf(missing.slice(0, mostNamed)).join(', ');
  const more = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : '';
  throw conflict(
    `The sound of ${missing.length === 1 ? 'clip' : 'clips'} ${named}${more} is not on the server; request its upload first.`,
  );
}

/** The event shows its URLs without their query parts; its holder gets the complete URLs. */
async function enqueueJoin(parts: CallingParts, caller: Caller, request: JoinRequest): Promise<Event> {
  const { db, secretBox, wakeups } = parts;
  const { deviceID, parameters, byPlatform } = request;
  const seconds = readTimeout(request.timeout);
  if (seconds === undefined)
    throw invalidField(
      'timeout',
      'must be whole seconds, hh:mm:ss or an ISO 8601 duration such as PT5M, at most 24 hours',
    );
  const type = await requireEventType(db, { eventType: 'Concatenate_audio_clips' });
  const expirationEpoch = (await readDatabaseEpoch(db)) + seconds;
  const { uploadURL, postbackURL } = parameters;
  const shown = {
    ...parameters,
    uploadURL: uploadURL && withoutQuery(uploadURL),
    postbackURL: postbackURL && withoutQuery(postbackURL),
  };
  const template = {
    ...type,
    eventParameters: JSON.stringify(shown),
    expirationEpoch,
    maxAttempts: byPlatform ? platformAttempts : 1,
    ...(postbackURL === undefined ? {} : { postbackURL }),
  };
  const event = await inTransaction(db, async (tx) => {
    const [enqueued] = await enqueueAll(tx, caller, [deviceID], template, byPlatform ? 1 : 0);
    if (!enqueued) throw new Error('an enqueued event was not returned');
    await recordAct(tx, caller, 'sound-exported', { recordID: enqueued.key, deviceID });
    if (uploadURL !== undefined || postbackURL !== undefined) {
      const secrets = {
        eventParameters: JSON.stringify(parameters),
        ...(postbackURL === undefined ? {} : { postbackURL }),
      };
      await sealSecrets(tx, secretBox, enqueued.key, secrets);
    }
    return enqueued;
  });
  wakeups.add([deviceID]);
  return event;
}
