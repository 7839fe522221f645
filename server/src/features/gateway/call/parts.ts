import type { AcceptedKey } from '../../upload-key/public.ts';
import { acceptUploadKey } from '../../upload-key/public.ts';
import type { ReceiveParts } from '../../../platform/recorder-form/receive-form.ts';
import type { UnknownBytes } from '../../../platform/recorder-form/unknown-bytes.ts';
import { createUnknownBytes } from '../../../platform/recorder-form/unknown-bytes.ts';
import type { Parts } from '../../../feature.ts';
import type { StoreParts } from './store-call.ts';

export type RecorderParts = ReceiveParts<AcceptedKey> & StoreParts;

/** Shared by all gateways of a node, because the limits are for all of them together. */
const unknownBytesOf = new WeakMap<object, UnknownBytes>();

/** The parts of the node that every gateway needs. */
export const recorderNeeds = [
  'db',
  'storage',
  'scratch',
  'media',
  'rateLimit',
  'config',
  'events',
  'orderCaptions',
] as const satisfies readonly (keyof Parts)[];

export function recorderParts(parts: Pick<Parts, (typeof recorderNeeds)[number]>): RecorderParts {
  const { db, storage, scratch, media, rateLimit, config, events, orderCaptions } = parts;
  const unknownBytes = unknownBytesOf.get(scratch) ?? createUnknownBytes();
  unknownBytesOf.set(scratch, unknownBytes);
  const keys = { db, rateLimit, limits: config.uploadKeyLimits };
  return {
    db,
    storage,
    scratch,
    media,
    orderCaptions,
    keys,
    unknownBytes,
    wakeups: events.wakeups,
    acceptKey: (secret, address) => acceptUploadKey(keys, secret, address),
  };
}
