import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineFeature } from '../../feature.ts';
import { createSpeechMeter } from '../../platform/listening/embedded-engine.ts';
import { createModelStore } from '../../platform/listening/models/model-store.ts';
import { startLoop } from '../../platform/loop.ts';
import { measureNewClip } from './new-clips.ts';
import { isUsualIn, measureOlderClip } from './older/older.ts';
import { serveClipFacts } from './routes.ts';

/** Measuring takes a third of the time, so that uploads and captions are not slowed down. */
const pauseAfter = (workMs: number): number => Math.min(2 * workMs, 10_000);

/** What is measured in the sound of clips. */
export const clipFacts = defineFeature({
  name: 'clip-facts',
  needs: ['config', 'db', 'engines', 'log', 'media', 'scratch', 'storage'],
  routes: (http, { config, db }) => serveClipFacts(http, { db, isUsual: isUsualIn(config.storage.url) }),
  loops({ config, db, engines, log, media, scratch, storage }) {
    if (config.role === 'server') return [];
    const { kind, modelFolder, mayFetchModels } = config.captions;
    // Nothing is fetched for an installation that does not transcribe.
    const models = createModelStore({ folder: modelFolder, mayFetch: mayFetchModels && kind !== 'none', log });
    const speech = engines ? engines.speech : createSpeechMeter({ models, log, processes: 1 });
    const parts = { db, storage, scratch, media, speech, node: randomUUID(), isUsual: isUsualIn(config.storage.url) };
    const stopping = new AbortController();
    const { signal } = stopping;
    const measure = async () => {
      let startMs = performance.now();
      // New clips come before older ones.
      while (!signal.aborted && ((await measureNewClip(parts, signal)) || (await measureOlderClip(parts, signal)))) {
        await sleep(pauseAfter(performance.now() - startMs), undefined, { signal }).catch(() => {});
        startMs = performance.now();
      }
    };
    const stopLoop = startLoop('facts of clips', config.measureSeconds * 1000, measure, log);
    return [
      async () => {
        stopping.abort();
        await stopLoop();
        if (!engines) await speech?.close();
      },
    ];
  },
});
