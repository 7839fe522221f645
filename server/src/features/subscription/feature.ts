import { defineFeature } from '../../feature.ts';
import { startFollowing } from './follow.ts';
import { forgetPlaces } from './place-queries.ts';
import { serveSubscriptions } from './routes.ts';
import { createChangeWriter } from './told-changes.ts';

export const subscription = defineFeature({
  name: 'subscription',
  needs: ['config', 'db', 'live', 'log'],
  open: ({ config, db, live }) => ({
    writeChanges: createChangeWriter({ db, changes: live.changes, changeHours: config.changeHours }),
  }),
  routes: (http, { db, live }) => serveSubscriptions(http, { db, changes: live.changes }),
  loops: ({ db, live, log }) => [startFollowing({ db, changes: live.changes, log })],
  // What happens while the person is disabled is not sent afterwards, but that something did.
  userDisabled: forgetPlaces,
});
