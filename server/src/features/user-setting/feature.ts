import type { Feature } from '../../feature.ts';
import { serveUserSettings } from './routes.ts';

export const userSetting: Feature = { routes: (http, { db }) => serveUserSettings(http, db) };
