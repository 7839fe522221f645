import { parseDateTime } from '@earshot/contract/date-time';
import { longestFilename } from '@earshot/contract/file';
import type { FieldError } from '@earshot/contract/validation';
import { latestEpoch, largestInteger, shortTextLength } from '@earshot/contract/values';
import { invalid, invalidField } from '../../errors.ts';

/** What the header Upload-Metadata says about a recording. */
export interface UploadMetadata {
  /** Undefined if the sender gave none. */
  readonly filename: string | undefined;
  readonly deviceID: number | undefined;
  readonly deviceSerial: string | undefined;
  /** Undefined: read from the recording. */
  readonly startMs: number | undefined;
  readonly lastModifiedMs: number | undefined;
  readonly sha256: string | undefined;
  /** The key of the clip that the recording continues. */
  readonly grownFromID: number | undefined;
}

const header = 'upload-metadata';

export function readMetadata(text: string | undefined): UploadMetadata {
  const values = readPairs(text ?? '');
  const faults: FieldError[] = [];
  const read = <Value>(name: string, parse: (value: string) => Value | undefined, rule: string): Value | undefined => {
    const value = values.get(name);
    // Clients send what they do not know as an empty value.
    if (value === undefined || value === '') return undefined;
    const parsed = parse(value);
    if (parsed === undefined) faults.push({ path: `${header}.${name}`, message: rule });
    return parsed;
  };
  const date = 'must be a date-time with an offset, from 1970 on, such as 2026-11-15T01:10:00Z';
  const metadata = {
    filename: cleanName(values.get('filename') ?? values.get('name') ?? '') || undefined,
    deviceID: read('deviceID', parseKey, 'must be the key of a device'),
    deviceSerial: read('deviceSerial', (value) => shortText(value), `must have at most ${shortTextLength} characters`),
    startMs: read('startDate', parseMs, date),
    lastModifiedMs: read('lastModifiedDate', parseMs, date),
    grownFromID: read(
      'grownFrom',
      (value) => parseKey(value) || undefined,
      'must be the key of a clip of the same device',
    ),
    sha256: read('sha256', parseHash, 'must be a SHA-256 of 64 hexadecimal digits'),
  };
  if (faults.length > 0) throw invalid(faults);
  return metadata;
}

/** Pairs of a name and a Base64 value, separated by commas; a name may be without a value. */
function readPairs(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const pair of text.split(',').map((each) => each.trim())) {
    if (pair === '') continue;
    const [name = '', encoded = '', ...more] = pair.split(' ');
    if (more.length > 0) throw invalidField(header, 'must be pairs of a name and a value, separated by commas');
    if (values.has(name)) throw invalidField(`${header}.${name}`, 'is given twice');
    const value = decodeText(encoded);
    if (value === undefined) throw invalidField(`${header}.${name}`, 'must be UTF-8 text in Base64');
    values.set(name, value);
  }
  return values;
}

function decodeText(encoded: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(encoded)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The name without its folders. Elsewhere than in a path of Windows, `\` is a letter like others. */
const cleanName = (text: string): string =>
  (text.split(/^(?:[A-Za-z]:)?\\/.test(text) ? /[/\\]/ : '/').at(-1) ?? '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, longestFilename)
    .toWellFormed();

const shortText = (value: string): string | undefined => (value.length <= shortTextLength ? value : undefined);

function parseKey(value: string): number | undefined {
  const key = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  return key <= largestInteger ? key : undefined;
}

function parseMs(value: string): number | undefined {
  const ms = parseDateTime(value)?.getTime();
  return ms !== undefined && ms >= 0 && ms <= latestEpoch * 1000 ? ms : undefined;
}

const parseHash = (value: string): string | undefined =>
  /^[0-9A-Fa-f]{64}$/.test(value) ? value.toLowerCase() : undefined;
