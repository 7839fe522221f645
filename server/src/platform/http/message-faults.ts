import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../errors.ts';

/** Headers of which the server reads one value. With two, a proxy in front may have read the other one. */
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

/** A host name or address with an optional port; empty where the target has no host (RFC 9110, 7.2). */
const hostValue = /^(?:\[[\w:.%-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d{0,5})?$/;

/**
 * What RFC 9112 has a server refuse, and Node's parser lets pass: message framing that others may read differently, and
 * headers whose meaning nobody could be sure of. The connection cannot be used after it.
 */
export function findMessageFault(request: IncomingMessage): Refusal | undefined {
  if (request.httpVersionMajor < 1) return new Refusal('invalid', 'HTTP/0.9 is not served; use HTTP/1.1.');
  const repeated = findRepeated(request.rawHeaders);
  if (repeated !== undefined) return new Refusal('invalid', `The header ${repeated} is given more than once.`);
  return findHostFault(request) ?? findCodingFault(request);
}

function findRepeated(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (seen.has(name)) return rawHeaders[at];
    if (singleHeaders.has(name)) seen.add(name);
  }
  return undefined;
}

function findHostFault({ headers: { host }, httpVersion }: IncomingMessage): Refusal | undefined {
  if (host === undefined) {
    return httpVersion === '1.1' ? new Refusal('invalid', 'HTTP/1.1 needs the header Host.') : undefined;
  }
  return hostValue.test(host) ? undefined : new Refusal('invalid', 'The header Host is not a host with a port.');
}

function findCodingFault({ headers, httpVersion }: IncomingMessage): Refusal | undefined {
  const codings = headers['transfer-encoding'];
  if (codings === undefined) return undefined;
  if (httpVersion !== '1.1') return new Refusal('invalid', 'HTTP/1.0 has no Transfer-Encoding.');
  const names = codings.split(',').map((name) => name.trim().toLowerCase());
  if (names.length === 1 && names[0] === 'chunked') return undefined;
  return names.at(-1) === 'chunked' && !names.slice(0, -1).includes('chunked')
    ? new Refusal('notImplemented', `The only Transfer-Encoding that can be read is chunked, not ${codings}.`)
    : new Refusal('invalid', 'Transfer-Encoding must end with chunked, once.');
}
