import type { ConcatenateAudioClipsArgs, ExportAudioClips } from '@earshot/contract/audio-clip-join';
import { invalidField } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { StoredEvent } from '../../platform/events/stored-event.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { CallingParts } from '../event/public.ts';
import {
  enqueueAll,
  requireCallableURL,
  requireEventType,
  requireURL,
  sealSecrets,
  withoutQuery,
} from '../event/public.ts';
import type { JoinableClip } from './queries.ts';
import { readDatabaseEpoch } from './queries.ts';
import { readTimeout } from './timeout.ts';

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

export const mostClips = 10_000;
/** The platform retries if the receiver of the sound is unavailable. A device decides itself whether to retry. */
const platformAttempts = 3;

export const clipKeys = (clips: readonly JoinableClip[]) => clips.map(({ key }) => key);

/** What requests to join and to export have in common. */
export function readCommon(
  parts: CallingParts,
  given: ConcatenateAudioClipsArgs | ExportAudioClips,
  byPlatform: boolean,
) {
  const { uploadURL, postbackURL, startEpoch, endEpoch } = given;
  if (startEpoch !== undefined && endEpoch !== undefined && endEpoch < startEpoch)
    throw invalidField('endEpoch', 'must not be before startEpoch');
  const readUploadURL = byPlatform ? requireCallableURL.bind(undefined, parts) : requireURL;
  return {
    startEpoch,
    endEpoch,
    gaps: given.gaps ?? ('silence' as const),
    uploadURL: uploadURL ? readUploadURL('uploadURL', uploadURL) : undefined,
    postbackURL: postbackURL ? requireCallableURL(parts, 'postbackURL', postbackURL) : undefined,
  };
}

interface EpochRange {
  readonly startEpoch?: number | undefined;
  readonly endEpoch?: number | undefined;
}

export const inMilliseconds = ({ startEpoch, endEpoch }: EpochRange) => ({
  fromMs: startEpoch === undefined ? undefined : startEpoch * 1000,
  toMs: endEpoch === undefined ? undefined : endEpoch * 1000,
});

export function requireFew(clips: readonly JoinableClip[]): void {
  if (clips.length > mostClips)
    throw invalidField('endEpoch', `leaves more than ${mostClips} clips in the range; join it in parts`);
}

export interface PreparedJoin extends JoinRequest {
  /** After this time the event expires. */
  readonly seconds: number;
  readonly type: { readonly eventTypeID: number; readonly agentTypeID: number };
  readonly expirationEpoch: number;
}

/** What is read before the transaction that enqueues. */
export async function prepareJoin(db: Db, request: JoinRequest): Promise<PreparedJoin> {
  const seconds = readTimeout(request.timeout);
  if (seconds === undefined)
    throw invalidField(
      'timeout',
      'must be whole seconds, hh:mm:ss or an ISO 8601 duration such as PT5M, at most 24 hours',
    );
  const type = await requireEventType(db, { eventType: 'Concatenate_audio_clips' });
  return { ...request, seconds, type, expirationEpoch: (await readDatabaseEpoch(db)) + seconds };
}

/** The event shows its URLs without their query parts; its holder gets the complete URLs. */
export async function enqueueJoin(
  tx: Db,
  { secretBox }: CallingParts,
  caller: Caller,
  { deviceID, parameters, byPlatform, type, expirationEpoch }: PreparedJoin,
): Promise<StoredEvent> {
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
  const [enqueued] = await enqueueAll(tx, caller, [deviceID], template, byPlatform ? 1 : 0);
  if (!enqueued) throw new Error('an enqueued event was not returned');
  if (uploadURL !== undefined || postbackURL !== undefined) {
    const secrets = {
      eventParameters: JSON.stringify(parameters),
      ...(postbackURL === undefined ? {} : { postbackURL }),
    };
    await sealSecrets(tx, secretBox, enqueued.key, secrets);
  }
  return enqueued;
}
