import * as contract from '@earshot/contract/agent';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import {
  createAgentPatchRules,
  eraseAgent,
  findAgents,
  editAgentByPatch,
  readAgent,
  acceptRegistration,
  editAgent,
} from './rules.ts';
import type { HeldEvents } from './held-events.ts';

export function serveAgents(http: HttpApp, db: Pool, heldEvents: HeldEvents): void {
  const patchRules = createAgentPatchRules(http.validator);
  serve(http, contract.registerAgent, ({ caller, body }) => acceptRegistration(db, heldEvents, caller, body));
  serve(http, contract.getAgent, ({ caller, params }) => readAgent(db, caller, params.agentID));
  serve(http, contract.updateAgent, ({ caller, params, body }) =>
    editAgent(db, heldEvents, caller, params.agentID, body),
  );
  serve(http, contract.patchAgent, ({ caller, params, body }) =>
    editAgentByPatch(db, heldEvents, patchRules, caller, params.agentID, body),
  );
  serve(http, contract.deleteAgent, ({ caller, params }) => eraseAgent(db, caller, params.agentID));
  serve(http, contract.listAgents, ({ caller, body }) => findAgents(db, caller, body));
}
