import type { FieldError } from '@earshot/contract/validation';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';

/** What the text of an address alone shows; its IP address is checked at each connection. */
export function checkURL(outbound: Outbound, path: string, url: string | undefined): readonly FieldError[] {
  if (url === undefined) return [];
  try {
    outbound.checkText(url);
    return [];
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return [{ path, message: `cannot be called: ${error.message}` }];
  }
}
