import { Agent } from '@earshot/contract/agent';
import type { Feature } from '../../feature.ts';
import { findAgentsByKey } from './queries.ts';
import { serveAgents } from './routes.ts';

export const agent: Feature = {
  routes: (http, { db, heldEvents }) => serveAgents(http, db, heldEvents),
  liveRecords: [{ kind: 'agent', schema: Agent, find: findAgentsByKey }],
};
