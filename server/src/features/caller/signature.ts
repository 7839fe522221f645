import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedParts } from '@earshot/contract/signing';
import { canonicalBytes } from '@earshot/contract/signing';

/** Whether the hex signature is valid for the parts, in either canonical form. */
export function signatureMatches(signature: string, secret: Buffer, parts: SignedParts): boolean {
  if (!/^[0-9a-fA-F]{64}$/.test(signature)) return false;
  const given = Buffer.from(signature, 'hex');
  // Both are always computed, so that the response time does not reveal which form a client uses.
  const [plain, ended] = [false, true].map((endedLines) =>
    timingSafeEqual(given, createHmac('sha256', secret).update(canonicalBytes(parts, endedLines)).digest()),
  );
  return plain === true || ended === true;
}
