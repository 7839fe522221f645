import { gatewayList, operationList } from '@earshot/contract/operations';
import type { HttpHooks, Parts } from './feature.ts';
import { features, serviceFeatures } from './features.ts';
import type { HttpApp } from './platform/http/http-app.ts';
import { createHttpApp, requireWholeContract } from './platform/http/http-app.ts';

/** Serves the routes of all features. Fails if an operation of the contract has no route. */
export async function createApp(parts: Parts): Promise<HttpApp> {
  const { config, writes } = parts;
  const isWorker = config.role === 'worker';
  const hooks: Partial<HttpHooks> = Object.assign({}, ...features.map((feature) => feature.hooks?.(parts)));
  const { authenticator, afterChange = () => {}, answerNavigation } = hooks;
  if (!authenticator) throw new Error('no feature provides an authenticator');
  const http = createHttpApp({
    ...parts,
    ...config,
    authenticator,
    afterChange,
    ...(answerNavigation ? { answerNavigation } : {}),
    bodyIdleMs: config.bodyIdleSeconds * 1000,
    rateLimit: parts.rateLimit,
    noteFailure: writes.note,
    operations: isWorker
      ? operationList.filter(([, { resource }]) => resource === 'service')
      : [...operationList, ...gatewayList],
  });
  for (const feature of isWorker ? serviceFeatures : features) feature.routes?.(http, parts);
  requireWholeContract(http);
  await http.fastify.ready();
  return http;
}
