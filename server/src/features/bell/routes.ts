import * as contract from '@earshot/contract/bell';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { putReadTo } from './manners-queries.ts';
import { changeManners, readEntries, readManners } from './rules.ts';

export function serveBell(http: HttpApp, db: Pool): void {
  serve(http, contract.readBell, ({ caller, query }) => readEntries(db, caller, query));
  serve(http, contract.markBellRead, ({ caller, body }) => putReadTo(db, caller.userID, body.readTo));
  serve(http, contract.getBellManners, ({ caller }) => readManners(db, caller));
  serve(http, contract.putBellManners, ({ caller, body }) => changeManners(db, caller, body));
}
