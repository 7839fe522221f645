import type { IncomingHttpHeaders } from 'node:http';

/** What tells one version of something from another (RFC 9110, 8.8). */
export interface Validators {
  /** Strong, in its quotes. */
  readonly etag: string;
  readonly lastModified: Date;
}

export type Verdict = 'proceed' | 'not modified' | 'failed';

/** Judges the conditions of a GET or HEAD in the order that RFC 9110, 13.2.2 prescribes. */
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

/** Whether `Range` counts: the reader has a part of this very version, or does not care. */
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

/** The form that is written today, and the two former ones that must still be read (RFC 9110, 5.6.7). */
const dateForms = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/** Seconds; undefined for what is no date, which is then as if it were not there. */
function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !dateForms.some((form) => form.test(text))) return undefined;
  const ms = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(ms) ? undefined : ms / 1000;
}
