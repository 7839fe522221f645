export type { SessionParts } from './open-session.ts';
export { openSession, requireKeptCookie } from './open-session.ts';
export { beginCodeAttempt, countWrongKey } from './sign-in-limit.ts';
