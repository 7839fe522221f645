/** The location in an object store, as parsed from its URL. */
export interface S3Location {
  readonly bucket: string;
  /** Empty, or ending with a slash. */
  readonly prefix: string;
  readonly region: string;
  /** The origin and the path that precede the keys of the bucket. */
  readonly origin: string;
  readonly path: string;
  /** Whether devices and people can reach the store and upload to it directly. */
  readonly isDirect: boolean;
}

const form = 's3://bucket/prefix?endpoint=https://host:port&region=…&style=path|virtual&direct=yes|no';

/** Never contains the URL, which may contain a secret. */
const invalidUrl = (what: string) => new RangeError(`${what}; the format is ${form}`);

export function parseS3Url(text: string): S3Location {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 's3:') throw invalidUrl('it must begin with s3://');
  if (url.username !== '' || url.password !== '') throw invalidUrl('it must not contain credentials');
  const options = readOptions(url.searchParams);
  const bucket = url.host;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw invalidUrl('the bucket must be 3 to 63 characters of a-z, 0-9, . and -');
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  if (!/^[A-Za-z0-9_./-]*$/.test(prefix) || prefix.includes('//')) {
    throw invalidUrl('the prefix must consist of letters, digits, _, ., - and single slashes');
  }
  const region = options.get('region') ?? 'us-east-1';
  if (!/^[A-Za-z0-9-]+$/.test(region)) throw invalidUrl('the region must consist of letters, digits and -');
  const endpoint = readEndpoint(options.get('endpoint') ?? `https://s3.${region}.amazonaws.com`);
  // The virtual-host style needs DNS names and certificates that self-hosted stores rarely have.
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
  if (strange !== undefined) throw invalidUrl(`an object store has no setting "${strange}"`);
  return new Map([...parameters].filter(([, value]) => value !== ''));
}

function readEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url && ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) throw invalidUrl('the endpoint must be an http or https URL without a path');
  return url;
}

/** Whether the second of the two values was chosen. */
function choose(
  options: Map<string, string>,
  name: string,
  [no, yes]: readonly [string, string],
  otherwise: string,
): boolean {
  const value = options.get(name) ?? otherwise;
  if (value !== no && value !== yes) throw invalidUrl(`${name} must be ${no} or ${yes}`);
  return value === yes;
}
