import { randomUUID } from 'node:crypto';
import { CaptionSummary } from '@earshot/contract/caption';
import type { Feature } from '../../feature.ts';
import { openEars, usableKinds } from './ears.ts';
import { captionAudioJob, captionWordsJob } from './jobs.ts';
import { startListening } from './listening.ts';
import { orderCaptions } from './orders.ts';
import { measureCaptions } from './progress.ts';
import { findCaptionsByKey } from './queries.ts';
import { serveCaptions } from './routes.ts';

export const caption: Feature = {
  open({ db, log, config, ears }) {
    if (config.role === 'server') return { orderCaptions };
    const engines = ears ?? openEars(config.captions, log);
    const listening = startListening({ db, log, node: randomUUID(), ears: engines });
    return { orderCaptions, listening, stop: async () => listening?.stop() };
  },
  jobs(parts) {
    const job = { ...parts, atOnce: parts.config.captions.atOnce };
    return [captionAudioJob(job), captionWordsJob(job)];
  },
  routes: (http, { events, config }) => serveCaptions(http, { events, usableKinds: usableKinds(config.captions) }),
  metrics: (metrics, { db, log }) => [measureCaptions(db, log, metrics)],
  liveRecords: [{ kind: 'caption', schema: CaptionSummary, find: findCaptionsByKey }],
};
