import type { Feature } from '../../feature.ts';
import { startDelivery } from './delivery.ts';
import { servePostbacks } from './routes.ts';

export const postback: Feature = {
  loops: (parts) => [startDelivery({ ...parts, retrySeconds: parts.config.eventTimes.retrySeconds })],
  routes: (http, { db }) => servePostbacks(http, db),
};
