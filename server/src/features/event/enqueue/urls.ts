import { callableURL } from '../../../platform/outbound/outbound.ts';
import { invalidField } from '../../../errors.ts';
import type { CallingParts } from '../parts.ts';

/** A URL that a device will call. It may be in the device's local network. */
export const requireURL = (field: string, given: string): string => readURL(field, given, callableURL);

/** A URL that the platform will call. Rejects it if its text shows that its address is not public. */
export const requireCallableURL = ({ outbound }: Pick<CallingParts, 'outbound'>, field: string, given: string) =>
  readURL(field, given, (url) => outbound.checkText(url));

/** The part of a URL that every reader may see. */
export function withoutQuery(url: string): string {
  const shown = new URL(url);
  shown.search = '';
  shown.hash = '';
  return shown.href;
}

function readURL(field: string, given: string, read: (url: string) => URL): string {
  try {
    return read(given).href;
  } catch (error) {
    throw invalidField(field, `cannot be called: ${(error as Error).message}`);
  }
}
