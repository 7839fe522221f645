/** Where files are kept in an object store, as its URL says. */
export interface S3Location {
  readonly bucket: string;
  /** Empty, or ending with a slash. */
  readonly prefix: string;
  readonly region: string;
  /** The origin, and the path on it, under which the keys of the bucket lie. */
  readonly origin: string;
  readonly path: string;
  /** Whether devices and people may reach the store themselves, and are sent there with their uploads. */
  readonly isDirect: boolean;
}

const form = 's3://bucket/prefix?endpoint=https://host:port&region=…&style=path|virtual&direct=yes|no';

/** Never repeats the URL: somebody may have put a secret into it. */
const wrong = (what: string) => new RangeError(`${what}; the form is ${form}`);

export function parseS3Url(text: string): S3Location {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 's3:') throw wrong('it must begin with s3://');
  if (url.username !== '' || url.password !== '') throw wrong('credentials do not belong into it');
  const options = readOptions(url.searchParams);
  const bucket = url.host;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) throw wrong('a bucket is 3 to 63 of a-z, 0-9, . and -');
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  if (!/^[A-Za-z0-9_./-]*$/.test(prefix) || prefix.includes('//')) {
    throw wrong('a prefix is made of letters, digits, _, ., - and single slashes');
  }
  const region = options.get('region') ?? 'us-east-1';
  if (!/^[A-Za-z0-9-]+$/.test(region)) throw wrong('a region is made of letters, digits and -');
  const endpoint = readEndpoint(options.get('endpoint') ?? `https://s3.${region}.amazonaws.com`);
  // A bucket as a part of the host name asks for names and certificates that stores of one's own rarely have.
  const isVirtual = choose(options, 'style', ['path', 'virtual'], options.has('endpoint') ? 'path' : 'virtual');
  return {
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    origin: isVirtual ? `${endpoint.protocol}//${bucket}.${endpoint.host}` : endpoint.origin,
    path: isVirtual ? '/' : `/${bucket}/`,
    isDirect: choose(options, 'direct', ['no', 'yes'], 'no'),
  };
}

function readOptions(parameters: URLSearchParams): Map<string, string> {
  const known = new Set(['endpoint', 'region', 'style', 'direct']);
  const strange = [...parameters.keys()].find((name) => !known.has(name));
  if (strange !== undefined) throw wrong(`an object store has no setting "${strange}"`);
  return new Map([...parameters].filter(([, value]) => value !== ''));
}

function readEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url && ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) throw wrong('an endpoint is an http or https URL without a path');
  return url;
}

/** Whether the second of two words was chosen. */
function choose(
  options: Map<string, string>,
  name: string,
  [no, yes]: readonly [string, string],
  otherwise: string,
): boolean {
  const value = options.get(name) ?? otherwise;
  if (value !== no && value !== yes) throw wrong(`${name} is ${no} or ${yes}`);
  return value === yes;
}
