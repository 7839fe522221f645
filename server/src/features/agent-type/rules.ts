/** The functions of agent types that other features may use. */
export { findAgentTypeByName, putAgentTypes } from './queries.ts';
