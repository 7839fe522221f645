import { defineFeature } from '../../feature.ts';
import { moveTalkgroupsOfDevice } from './queries.ts';
import { serveTalkgroups } from './routes.ts';

export const talkgroup = defineFeature({
  name: 'talkgroup',
  needs: ['db'],
  routes: serveTalkgroups,
  deviceRemoval: { move: moveTalkgroupsOfDevice },
});
