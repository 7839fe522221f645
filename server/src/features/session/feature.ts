import type { Feature } from '../../feature.ts';
import { serveSessions } from './routes.ts';

export const session: Feature = { routes: serveSessions };
