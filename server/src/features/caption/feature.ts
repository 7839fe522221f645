import { randomUUID } from 'node:crypto';
import { CaptionSummary } from '@earshot/contract/caption';
import { defineFeature } from '../../feature.ts';
import { startSweep } from '../../platform/loop.ts';
import { openEngines, usableEngines } from './engine/engines.ts';
import { captionAudioJob, captionWordsJob } from './transcribe/jobs.ts';
import { startEngines } from './engine/running-engines.ts';
import { orderCaptions } from './order/orders.ts';
import { sweepRuns } from './transcribe/part-queries.ts';
import { measureCaptions } from './read/progress.ts';
import { findCaptionsByKey, moveCaptionsOfDevice } from './queries.ts';
import { removeCaptions } from './former-queries.ts';
import { removeFormerSound } from './former-sound.ts';
import { serveCaptions } from './routes.ts';

const sweepEveryMs = 600_000;

export const caption = defineFeature({
  name: 'caption',
  needs: ['config', 'db', 'engines', 'events', 'listening', 'log', 'media', 'readLog', 'scratch', 'storage'],
  open({ db, log, config, engines }) {
    const services = { orderCaptions, removeCaptions, removeFormerSound };
    if (config.role === 'server') return services;
    const chosen = engines ?? openEngines(config.captions, log);
    const listening = startEngines({ db, log, node: randomUUID(), engines: chosen, atOnce: config.captions.atOnce });
    return { ...services, listening, stop: async () => listening?.stop() };
  },
  jobs(parts) {
    const { atOnce, pace } = parts.config.captions;
    const job = { ...parts, atOnce, pace };
    return [captionAudioJob(job), captionWordsJob(job)];
  },
  routes: (http, { events, config, readLog }) =>
    serveCaptions(http, { events, readLog, usableEngines: usableEngines(config.captions) }),
  loops: ({ db, log }) => [startSweep('transcriptions that ended', sweepEveryMs, () => sweepRuns(db), log)],
  metrics: (metrics, { db, log }) => [measureCaptions(db, log, metrics)],
  passingTables: ['listening_nodes'],
  deviceRemoval: { move: moveCaptionsOfDevice },
  liveRecords: [{ kind: 'caption', schema: CaptionSummary, find: findCaptionsByKey }],
});
