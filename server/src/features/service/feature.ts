import type { Feature } from '../../feature.ts';
import { serveService } from './routes.ts';

/** Health, readiness and metrics, also on a node that serves nothing else. */
export const service: Feature = { routes: serveService };
