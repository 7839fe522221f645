import * as contract from '@earshot/contract/setup';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { createFirstAdmin } from './rules.ts';
import type { SessionParts } from '../session/public.ts';

export function serveSetup(http: HttpApp, parts: SessionParts): void {
  serve(http, contract.setUp, ({ body, exchange }) => createFirstAdmin(parts, body, exchange));
}
