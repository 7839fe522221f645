/** A server may ask for any time; nobody waits longer than this for it. */
const longestRetryAfterSeconds = 600;

/** The time that the header Retry-After asks for, in seconds, or undefined if it cannot be read. */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestRetryAfterSeconds);
  // Date.parse also reads texts that are no HTTP dates, such as "-5".
  const untilMs = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(untilMs)) return undefined;
  // By the sender's own clock, because the clock here may be wrong.
  const sentMs = Date.parse(headers.get('date') ?? '');
  const seconds = (untilMs - (Number.isNaN(sentMs) ? Date.now() : sentMs)) / 1_000;
  return Math.min(Math.max(0, Math.ceil(seconds)), longestRetryAfterSeconds);
}
