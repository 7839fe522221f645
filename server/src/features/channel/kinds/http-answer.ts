import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import type { SendAnswer } from './kind.ts';

const mostExcerpt = 200;
/** Statuses of a 4xx that may pass: a time-out, an early request, too many requests. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/** What a status of HTTP says about a message. */
export function readAnswer({ status, headers, body }: OutboundAnswer, nowMs: number): SendAnswer {
  const excerpt = body.toString('utf8', 0, mostExcerpt).replaceAll(/\p{Cc}+/gu, ' ');
  const answered = { status, excerpt, said: `the receiver responded with status ${status}` };
  if (status >= 200 && status < 300) return { ...answered, outcome: 'accepted' };
  if (status >= 300 && status < 400)
    return { ...answered, outcome: 'refused', said: `${answered.said}: redirects are not followed` };
  if (status >= 400 && status < 500 && !passing.has(status)) return { ...answered, outcome: 'refused' };
  return { ...answered, outcome: 'later', retryAfterSeconds: secondsToWait(headers['retry-after'], nowMs) };
}

/** Seconds, or a date (RFC 9110). */
export function secondsToWait(value: string | string[] | undefined, nowMs: number): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}
