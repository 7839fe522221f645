export type { AgentContact } from './contact-queries.ts';
export { contactAgent, contactEverySeconds, lockedAgent, recentAgent } from './contact-queries.ts';
export type { HeldEvents } from './held-events.ts';
export { findAgentTypeByName } from './type-queries.ts';
