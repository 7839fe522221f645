import type { Feature } from '../../feature.ts';
import { serveTalkgroups } from './routes.ts';

export const talkgroup: Feature = { routes: serveTalkgroups };
