import { gatewayList, operationList } from '@earshot/contract/operations';
import type { HttpHooks, Resources } from './feature.ts';
import { features, serviceFeatures } from './features.ts';
import type { NodeParts } from './node-parts.ts';
import type { HttpApp } from './platform/http/http-app.ts';
import { createHttpApp, requireWholeContract } from './platform/http/http-app.ts';

/** Serves the routes of all features. Fails if an operation of the contract has no route. */
export async function createApp(resources: Resources, parts: NodeParts): Promise<HttpApp> {
  const { config, writes } = resources;
  const isWorker = config.role === 'worker';
  const hooks: Partial<HttpHooks> = Object.assign(
    {},
    ...features.map((feature) => feature.hooks?.(parts.pick(feature))),
  );
  const { authenticator, answerOnce, afterChange = () => {}, answerNavigation } = hooks;
  if (!authenticator || !answerOnce) throw new Error('no feature provides an authenticator, or answers once');
  const http = createHttpApp({
    ...resources,
    ...config,
    authenticator,
    answerOnce,
    afterChange,
    ...(answerNavigation ? { answerNavigation } : {}),
    bodyIdleMs: config.bodyIdleSeconds * 1000,
    rateLimit: resources.rateLimit,
    noteFailure: writes.note,
    operations: isWorker
      ? operationList.filter(([, { resource }]) => resource === 'service')
      : [...operationList, ...gatewayList],
  });
  for (const feature of isWorker ? serviceFeatures : features) feature.routes?.(http, parts.pick(feature));
  requireWholeContract(http);
  await http.fastify.ready();
  return http;
}
