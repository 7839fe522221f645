import { Agent } from '@earshot/contract/agent';
import { defineFeature } from '../../feature.ts';
import { findAgentsByKey, lockAgentsOfDevice } from './queries.ts';
import { serveAgents } from './routes.ts';
import { putAgentTypes } from './type-queries.ts';
import { serveAgentTypes } from './type-routes.ts';

export const agent = defineFeature({
  name: 'agent',
  needs: ['db', 'heldEvents'],
  prepare: ({ db }) => putAgentTypes(db),
  routes(http, { db, heldEvents }) {
    serveAgentTypes(http, db);
    serveAgents(http, db, heldEvents);
  },
  liveRecords: [{ kind: 'agent', schema: Agent, find: findAgentsByKey }],
  deviceRemoval: { lock: lockAgentsOfDevice },
});
