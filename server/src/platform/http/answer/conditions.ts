import type { IncomingHttpHeaders } from 'node:http';

/** Identify the version of a content (RFC 9110, 8.8). */
export interface Validators {
  /** A strong entity tag, including its quotes. */
  readonly etag: string;
  readonly lastModified: Date;
}

export type Verdict = 'proceed' | 'not modified' | 'failed';

/** Evaluates the conditional headers of a GET or HEAD in the order of RFC 9110, 13.2.2. */
export function judgeConditions(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): Verdict {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  const modified = wholeSeconds(lastModified);
  if (match !== undefined) {
    if (match.trim() !== '*' && !listsStrongly(match, etag)) return 'failed';
  } else {
    const since = parseHttpDate(headers['if-unmodified-since']);
    if (since !== undefined && modified > since) return 'failed';
  }
  if (noneMatch !== undefined) {
    return noneMatch.trim() === '*' || listsWeakly(noneMatch, etag) ? 'not modified' : 'proceed';
  }
  const since = parseHttpDate(headers['if-modified-since']);
  return since !== undefined && modified <= since ? 'not modified' : 'proceed';
}

/** Whether `Range` applies: there is no If-Range, or it names the current version. */
export function rangeApplies({ 'if-range': condition }: IncomingHttpHeaders, validators: Validators): boolean {
  if (condition === undefined) return true;
  const text = (condition as string).trim();
  if (text.includes('"')) return text === validators.etag;
  return parseHttpDate(text) === wholeSeconds(validators.lastModified);
}

const entityTag = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

const listsWeakly = (list: string, etag: string): boolean =>
  [...list.matchAll(entityTag)].some(([, , opaque]) => `"${opaque}"` === etag);

const listsStrongly = (list: string, etag: string): boolean =>
  [...list.matchAll(entityTag)].some(([whole]) => whole === etag);

const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** The current date format, and the two obsolete ones that must still be accepted (RFC 9110, 5.6.7). */
const dateForms = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/** In seconds; undefined for an invalid date, which is ignored like a missing header. */
function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !dateForms.some((form) => form.test(text))) return undefined;
  const ms = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(ms) ? undefined : ms / 1000;
}
