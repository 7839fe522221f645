import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../../errors.ts';

/** Headers of which the server uses one value. If a request has two, a proxy may have used the other one. */
const singleHeaders = new Set([
  'authorization',
  'content-range',
  'content-type',
  'cookie',
  'host',
  'if-modified-since',
  'if-range',
  'if-unmodified-since',
  'last-event-id',
  'origin',
  'range',
  'sec-fetch-mode',
  'sec-fetch-site',
  'x-accesskey',
  'x-nonce',
  'x-signature',
  'x-take-id',
  'x-timestamp',
]);

/** SDRTrunk sends two content types with its uploads: the first is that of the form. */
const mayRepeatType = /^\/+(?:api|openmhz)\//;

/** A host name or address with an optional port; empty where the target has no host (RFC 9110, 7.2). */
const hostValue = /^(?:\[[\w:.%-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d{0,5})?$/;

/**
 * Finds faults that RFC 9112 requires a server to refuse but Node's parser accepts: message framing that others may
 * read differently, and ambiguous headers. The connection cannot be used afterwards.
 */
export function findMessageFault(request: IncomingMessage): Refusal | undefined {
  if (request.httpVersionMajor < 1) return new Refusal('invalid', 'HTTP/0.9 is not supported; use HTTP/1.1.');
  const repeated = findRepeated(request.rawHeaders, mayRepeatType.test(request.url ?? ''));
  if (repeated !== undefined) return new Refusal('invalid', `The header ${repeated} is given more than once.`);
  return findHostFault(request) ?? findCodingFault(request);
}

function findRepeated(rawHeaders: readonly string[], isTypeRepeatable: boolean): string | undefined {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (seen.has(name)) return rawHeaders[at];
    if (singleHeaders.has(name) && !(isTypeRepeatable && name === 'content-type')) seen.add(name);
  }
  return undefined;
}

function findHostFault({ headers: { host }, httpVersion }: IncomingMessage): Refusal | undefined {
  if (host === undefined) {
    return httpVersion === '1.1' ? new Refusal('invalid', 'HTTP/1.1 requires the header Host.') : undefined;
  }
  return hostValue.test(host)
    ? undefined
    : new Refusal('invalid', 'The header Host must be a host name or address with an optional port.');
}

function findCodingFault({ headers, httpVersion }: IncomingMessage): Refusal | undefined {
  const codings = headers['transfer-encoding'];
  if (codings === undefined) return undefined;
  if (httpVersion !== '1.1')
    return new Refusal('invalid', 'HTTP/1.0 does not support Transfer-Encoding; use HTTP/1.1.');
  const names = codings.split(',').map((name) => name.trim().toLowerCase());
  if (names.length === 1 && names[0] === 'chunked') return undefined;
  return names.at(-1) === 'chunked' && !names.slice(0, -1).includes('chunked')
    ? new Refusal('notImplemented', `The only supported Transfer-Encoding is chunked, not ${codings}.`)
    : new Refusal('invalid', 'Transfer-Encoding must contain chunked once, as the last coding.');
}
