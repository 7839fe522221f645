/** What other features use of agent types. */
export { findAgentTypeByName, putAgentTypes } from './queries.ts';
