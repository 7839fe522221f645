import * as contract from '@earshot/contract/installation';
import { conflict } from '../../../errors.ts';
import type { HttpApp } from '../../../platform/http/http-app.ts';
import { serve } from '../../../platform/http/serve.ts';
import type { ShippedAgent } from '../release/shipping.ts';
import type { InstallSettings } from './availability.ts';
import { describeInstallation, findInstallFacts } from './availability.ts';
import type { CodeParts } from './rules.ts';
import { addCode, exchangeCode } from './rules.ts';
import { writeScript } from './script.ts';

export interface InstallationParts extends CodeParts {
  readonly config: InstallSettings;
  readonly shipped: ShippedAgent | undefined;
}

export function serveInstallation(http: HttpApp, parts: InstallationParts): void {
  const facts = findInstallFacts(parts.config, parts.shipped);
  const script = typeof facts === 'string' ? { unavailableBecause: facts } : writeScript(facts);
  // Like a page, the script is not part of the API, and the same for everybody.
  http.fastify.get('/install', { config: { operationName: 'install script' } }, (request, reply) => {
    http.options.rateLimit.take(request.ip);
    if (typeof script !== 'string') throw conflict(script.unavailableBecause);
    return reply.header('cache-control', 'no-cache').type('text/plain; charset=utf-8').send(script);
  });
  serve(http, contract.getInstallation, () => describeInstallation(facts));
  serve(http, contract.createInstallationCode, ({ caller, params }) => addCode(parts, caller, params.deviceID));
  serve(http, contract.exchangeInstallationCode, ({ body, exchange }) => {
    exchange.setHeader('cache-control', 'no-store');
    return exchangeCode(parts, exchange.address, body.code);
  });
}
