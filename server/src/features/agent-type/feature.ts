import type { Feature } from '../../feature.ts';
import { putAgentTypes } from './queries.ts';
import { serveAgentTypes } from './routes.ts';

export const agentType: Feature = {
  prepare: ({ db }) => putAgentTypes(db),
  routes: (http, { db }) => serveAgentTypes(http, db),
};
