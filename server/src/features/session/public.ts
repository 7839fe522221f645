export type { SessionParts } from './open-session.ts';
export { openSession } from './open-session.ts';
export { beginCodeAttempt, countWrongKey } from './sign-in-limit.ts';
