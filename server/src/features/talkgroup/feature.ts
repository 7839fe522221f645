import type { Feature } from '../../feature.ts';
import { moveTalkgroupsOfDevice } from './queries.ts';
import { serveTalkgroups } from './routes.ts';

export const talkgroup: Feature = { routes: serveTalkgroups, deviceRemoval: { move: moveTalkgroupsOfDevice } };
