type Pairs = readonly (readonly [name: string, value: string])[];

/** The scheme in `Authorization: HMAC-SHA256 <accessKey>`. */
export const signedScheme = 'HMAC-SHA256';

export interface SignedParts {
  readonly method: string;
  /** As it is sent, without the query. */
  readonly path: string;
  readonly authorization: string;
  readonly accessKey: string;
  readonly nonce: string;
  readonly timestamp: string;
  /** Decoded. */
  readonly query: Pairs;
  readonly body: string;
}

/**
 * The text that is signed: method, path, headers, query and body joined by newlines, then trimmed.
 * Clients differ in whether each header and parameter line ends with a newline of its own.
 */
export function canonicalText(parts: SignedParts, endedLines: boolean): string {
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
  return [parts.method, path, lines(headers), lines(parts.query.toSorted(byNameThenValue)), parts.body]
    .join('\n')
    .trim();
}

function byNameThenValue([a, x]: readonly [string, string], [b, y]: readonly [string, string]): number {
  return compare(a, b) || compare(x, y);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
