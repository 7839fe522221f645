type Pairs = readonly (readonly [name: string, value: string])[];

/** The scheme in `Authorization: HMAC-SHA256 <accessKey>`. */
export const signedScheme = 'HMAC-SHA256';

export interface SignedParts {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  readonly authorization: string;
  readonly accessKey: string;
  readonly nonce: string;
  readonly timestamp: string;
  /** Decoded. */
  readonly query: Pairs;
  readonly body: string | Uint8Array;
}

/**
 * Why a query parameter cannot be signed: two different queries would have the same text to sign. A line break would
 * start another line, a colon and a space in a name would end the name, and white space at the end of the last value is
 * removed.
 */
export function unsignableReason(name: string, value: string): string | undefined {
  if (/\p{Cc}/u.test(name + value)) return 'must not contain a control character in a signed request';
  if (name.includes(': ')) return 'must not have a colon and a space in its name in a signed request';
  if (/\s$/u.test(value)) return 'must not end with white space in a signed request';
  return undefined;
}

/**
 * The bytes to sign: method, path, headers, query and body joined by newlines, then trimmed. Bytes that are not text
 * are appended unchanged and not trimmed. Clients differ in whether each header and parameter line ends with a newline.
 */
export function canonicalBytes(parts: SignedParts, endedLines: boolean): Uint8Array<ArrayBuffer> {
  const head = canonicalHead(parts, endedLines);
  const text = typeof parts.body === 'string' ? parts.body : decode(parts.body);
  const encoder = new TextEncoder();
  if (text !== undefined) return encoder.encode(`${head}\n${text}`.trim());
  const start = encoder.encode(`${head}\n`);
  const bytes = parts.body as Uint8Array;
  const whole = new Uint8Array(start.length + bytes.length);
  whole.set(start);
  whole.set(bytes, start.length);
  return whole;
}

/** Undefined for bytes that are not UTF-8: replacement characters would make different bodies equal. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function canonicalHead(parts: SignedParts, endedLines: boolean): string {
  const lines = (pairs: Pairs) =>
    endedLines
      ? pairs.map(([name, value]) => `${name}: ${value}\n`).join('')
      : pairs.map(([name, value]) => `${name}: ${value}`).join('\n');
  const headers: Pairs = [
    ['Authorization', parts.authorization],
    ['X-AccessKey', parts.accessKey],
    ['X-Nonce', parts.nonce],
    ['X-Timestamp', parts.timestamp],
  ];
  const path = `/${parts.path.replace(/^\/+/, '').replace(/\/+$/, '')}`;
  return [parts.method, path, lines(headers), lines(parts.query.toSorted(byNameThenValue))].join('\n');
}

function byNameThenValue([a, x]: readonly [string, string], [b, y]: readonly [string, string]): number {
  return compare(a, b) || compare(x, y);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
