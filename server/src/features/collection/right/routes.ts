import { getReach } from '@earshot/contract/reach';
import * as contract from '@earshot/contract/right';
import type { Pool } from '../../../platform/database/connect.ts';
import type { HttpApp } from '../../../platform/http/http-app.ts';
import { serve } from '../../../platform/http/serve.ts';
import { findRights } from './queries.ts';
import { readReach } from './reach.ts';

export function serveRights(http: HttpApp, db: Pool): void {
  serve(http, contract.listRights, ({ caller, body }) => findRights(db, caller, body));
  serve(http, getReach, ({ caller, params, query }) => readReach(db, caller, params.userID, query));
}
