import * as contract from '@earshot/contract/agent-type';
import type { Db } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { conflict } from '../../errors.ts';
import { findAgentTypes, insertAgentType } from './type-queries.ts';

export function serveAgentTypes(http: HttpApp, db: Db): void {
  serve(http, contract.listAgentTypes, () => findAgentTypes(db));
  serve(http, contract.createAgentType, async ({ caller, body }) => {
    const added = await insertAgentType(db, caller, body);
    if (!added) throw conflict(`The agent type ${body.agentTypeName} exists already.`);
    return added;
  });
}
