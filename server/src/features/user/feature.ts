import type { Feature } from '../../feature.ts';
import { serveUsers } from './routes.ts';

export const user: Feature = { routes: serveUsers };
