import type { Feature } from '../../feature.ts';
import { recordKeyUse } from './queries.ts';
import { serveApiKeys } from './routes.ts';

export const apiKey: Feature = { routes: serveApiKeys, recordUse: recordKeyUse };
