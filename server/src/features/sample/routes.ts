import * as contract from '@earshot/contract/sample';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { findSampleDevices } from './queries.ts';
import type { SampleParts } from './rules.ts';
import { makeSamples } from './rules.ts';

export function serveSamples(http: HttpApp, parts: SampleParts): void {
  serve(http, contract.getSamples, async () => ({ deviceIDList: await findSampleDevices(parts.db) }));
  serve(http, contract.createSamples, async ({ caller }) => ({ deviceIDList: await makeSamples(parts, caller) }));
}
