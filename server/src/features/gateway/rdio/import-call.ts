import type { Refusal } from '../../../errors.ts';
import type { GatewayAnswer } from '../../../platform/http/serve-gateway.ts';
import type { ReceivedSound } from '../../../platform/recorder-form/receive-form.ts';
import type { RecorderParts } from '../call/parts.ts';
import { storeCall } from '../call/store-call.ts';
import type { AcceptedKey } from '../../upload-key/public.ts';
import type { RdioCall } from './call.ts';
import { missingPart, recorderOf } from './call.ts';

/** Recorders compare this text, the full stop included. */
const imported: GatewayAnswer = { status: 200, text: 'Call imported successfully.\n' };
const duplicate: GatewayAnswer = { status: 200, text: 'duplicate call rejected\n' };
const incomplete = (reason: string): GatewayAnswer => ({ status: 417, text: `Incomplete call data: ${reason}\n` });

/** Stores a call and responds as rdio-scanner does. */
export async function importCall(
  parts: RecorderParts,
  key: AcceptedKey,
  call: RdioCall & { readonly isEncrypted?: boolean },
  sound: ReceivedSound | undefined,
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  const hasSound = sound !== undefined && sound.size > 0;
  const reason = missingPart(call, hasSound || call.isEncrypted === true);
  if (reason !== undefined) return incomplete(reason);
  // An encrypted call has no usable sound.
  if (!hasSound) return imported;
  const recorder = recorderOf(call, key.uploadKeyID);
  const outcome = await storeCall(parts, key, { ...call, recorder }, sound, signal);
  if (outcome.kind === 'not sound') return incomplete(outcome.reason);
  return outcome.kind === 'stored' ? imported : duplicate;
}

/** Recorders show the text to the person who set them up. */
export function refuseAsRdio({ status, code, message }: Refusal): GatewayAnswer {
  if (code === 'unauthenticated') return { status, text: 'Invalid API key.\n' };
  // A form that cannot be read has no talkgroup.
  if (code === 'invalid') return incomplete(`no talkgroup; ${message}`);
  return { status, text: `${message}\n` };
}
