import * as contract from '@earshot/contract/agent-type';
import type { Db } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { findAgentTypes } from './type-queries.ts';

export function serveAgentTypes(http: HttpApp, db: Db): void {
  serve(http, contract.listAgentTypes, () => findAgentTypes(db));
}
