import { randomUUID } from 'node:crypto';
import { CaptionSummary } from '@earshot/contract/caption';
import type { Feature } from '../../feature.ts';
import { openEngines, usableKinds } from './engines.ts';
import { captionAudioJob, captionWordsJob } from './jobs.ts';
import { startEngines } from './running-engines.ts';
import { orderCaptions } from './orders.ts';
import { measureCaptions } from './progress.ts';
import { findCaptionsByKey, moveCaptionsOfDevice } from './queries.ts';
import { serveCaptions } from './routes.ts';

export const caption: Feature = {
  open({ db, log, config, engines }) {
    if (config.role === 'server') return { orderCaptions };
    const chosen = engines ?? openEngines(config.captions, log);
    const listening = startEngines({ db, log, node: randomUUID(), engines: chosen });
    return { orderCaptions, listening, stop: async () => listening?.stop() };
  },
  jobs(parts) {
    const job = { ...parts, atOnce: parts.config.captions.atOnce };
    return [captionAudioJob(job), captionWordsJob(job)];
  },
  routes: (http, { events, config }) => serveCaptions(http, { events, usableKinds: usableKinds(config.captions) }),
  metrics: (metrics, { db, log }) => [measureCaptions(db, log, metrics)],
  deviceRemoval: { move: moveCaptionsOfDevice },
  liveRecords: [{ kind: 'caption', schema: CaptionSummary, find: findCaptionsByKey }],
};
