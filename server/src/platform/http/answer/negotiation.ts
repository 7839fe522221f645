import type { MediaType, Operation } from '@earshot/contract/operation';
import { Refusal } from '../../../errors.ts';

/** Chooses the content type of the response by the Accept header (RFC 9110, 12.5.1). */
export function chooseMedia(accept: string | undefined, offered: readonly MediaType[]): MediaType {
  const [preferred] = offered;
  if (preferred === undefined) throw new Error('an operation offers no content type');
  if (accept === undefined || accept.trim() === '' || accept === '*/*' || accept === preferred) return preferred;

  const ranges = accept.split(',').map(parseRange);
  let best: { media: MediaType; quality: number } | undefined;
  for (const media of offered) {
    const quality = qualityOf(media, ranges);
    if (quality > (best?.quality ?? 0)) best = { media, quality };
  }
  if (best) return best.media;
  throw new Refusal(
    'notAcceptable',
    `This operation responds with ${offered.join(' or ')}; include one of these in the header Accept.`,
  );
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const value = quality === undefined ? 1 : Number(quality);
  return { type, quality: value >= 0 && value <= 1 ? value : 0 };
}

/** The most specific range that matches the type decides, as the RFC requires. */
function qualityOf(media: MediaType, ranges: readonly Range[]): number {
  const [kind] = media.split('/');
  for (const pattern of [media, `${kind}/*`, '*/*']) {
    const range = ranges.find(({ type }) => type === pattern);
    if (range) return range.quality;
  }
  return 0;
}

/** Accepts JSON types, and a missing Content-Type because some clients in the field do not send it. */
export function requireJson(contentType: string | undefined, contentEncoding: string | undefined): void {
  requirePlain(contentEncoding);
  if (contentType === undefined || contentType.trim() === '') return;
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  if (!/^(application\/json|text\/json|[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+\+json)$/.test(type)) {
    throw new Refusal('unsupportedType', `Send the body as application/json, not as ${type}.`);
  }
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset !== undefined && !['utf-8', 'utf8', 'us-ascii'].includes(charset)) {
    throw new Refusal('unsupportedType', `Send the body in UTF-8, not in ${charset}.`);
  }
}

export function requirePlain(contentEncoding: string | undefined): void {
  if (contentEncoding === undefined || contentEncoding.toLowerCase() === 'identity') return;
  throw new Refusal('unsupportedType', `Send the body without Content-Encoding (${contentEncoding}).`);
}

/** The content type of bytes that an operation accepts under one type only. */
export function requireBytes({ bytesType, bytesOptional }: Operation, contentType: string | undefined): void {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === bytesType || (type === '' && bytesOptional)) return;
  throw new Refusal('unsupportedType', `Send the bytes as ${bytesType}, not as ${type || 'an unknown type'}.`);
}
