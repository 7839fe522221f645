import type { Feature } from '../../../feature.ts';
import { serveSound } from './routes.ts';

export const sound: Feature = {
  routes: (http, parts) => serveSound(http, { ...parts, wakeups: parts.events.wakeups }),
};
