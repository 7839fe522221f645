export type { AgentContact } from './contact-queries.ts';
export { contactAgent, contactEverySeconds, lockedAgent, recentAgent } from './contact-queries.ts';
export type { HeldEvents } from './held-events.ts';
export { findReleaseByHash } from './release/queries.ts';
export type { ShippedAgent } from './release/shipping.ts';
export { requireUpdate, updateText } from './release/software-update.ts';
export { findAgentTypeByName } from './type-queries.ts';
