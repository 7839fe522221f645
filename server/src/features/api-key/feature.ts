import type { Feature } from '../../feature.ts';
import { serveApiKeys } from './routes.ts';

export const apiKey: Feature = { routes: serveApiKeys };
