import type { Feature } from '../../feature.ts';
import { serveSamples } from './routes.ts';

export const sample: Feature = {
  routes: (http, parts) => serveSamples(http, { ...parts, wakeups: parts.events.wakeups }),
};
