import type { Feature } from '../../../feature.ts';
import { serveAgentReleases } from './routes.ts';
import { shipAgent } from './shipping.ts';

export const agentRelease: Feature = {
  open: async (parts) => ({ shipped: await shipAgent(parts) }),
  routes: serveAgentReleases,
};
