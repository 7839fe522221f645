import { defineFeature } from '../../feature.ts';
import { startPublishing } from './publisher.ts';
import { servePublications } from './routes.ts';

export const publication = defineFeature({
  name: 'publication',
  needs: ['config', 'db', 'events', 'log', 'outbound', 'version'],
  routes: (http, { db, config }) => servePublications(http, { db, mqtt: config.mqtt }),
  loops: ({ config: { mqtt, publicOrigin }, ...parts }) =>
    mqtt ? [startPublishing({ ...parts, mqtt, publicOrigin })] : [],
});
