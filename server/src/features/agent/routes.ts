import * as contract from '@earshot/contract/agent';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';
import {
  createPatchRules,
  deleteAgent,
  findAgents,
  patchAgent,
  readAgent,
  registerAgent,
  updateAgent,
} from './rules.ts';
import type { HeldEvents } from './public.ts';

export function serveAgents(http: HttpApp, db: Pool, heldEvents: HeldEvents): void {
  const patchRules = createPatchRules(http.validator);
  serve(http, contract.registerAgent, ({ caller, body }) => registerAgent(db, heldEvents, caller, body));
  serve(http, contract.getAgent, ({ caller, params }) => readAgent(db, caller, params.agentID));
  serve(http, contract.updateAgent, ({ caller, params, body }) =>
    updateAgent(db, heldEvents, caller, params.agentID, body),
  );
  serve(http, contract.patchAgent, ({ caller, params, body }) =>
    patchAgent(db, heldEvents, patchRules, caller, params.agentID, body),
  );
  serve(http, contract.deleteAgent, ({ caller, params }) => deleteAgent(db, caller, params.agentID));
  serve(http, contract.listAgents, ({ caller, body }) => findAgents(db, caller, body));
}
