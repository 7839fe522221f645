import * as contract from '@earshot/contract/radio';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { importTalkgroupFile, listTalkgroupsOf, nameTalkgroup } from './rules.ts';

export function serveTalkgroups(http: HttpApp, { db }: { readonly db: Pool }): void {
  serve(http, contract.listTalkgroups, ({ caller, body }) => listTalkgroupsOf(db, caller, body));
  serve(http, contract.updateTalkgroup, ({ caller, params, body }) => nameTalkgroup(db, caller, params.deviceID, body));
  serve(http, contract.importTalkgroups, ({ caller, params, body }) =>
    importTalkgroupFile(db, caller, params.deviceID, body.csv),
  );
}
