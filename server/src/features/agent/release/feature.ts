import { defineFeature } from '../../../feature.ts';
import { serveAgentReleases } from './routes.ts';
import { shipAgent } from './shipping.ts';

export const agentRelease = defineFeature({
  name: 'agent/release',
  needs: ['agentDir', 'db', 'log', 'scratch', 'shipped', 'storage'],
  open: async (parts) => ({ shipped: await shipAgent(parts) }),
  routes: serveAgentReleases,
});
