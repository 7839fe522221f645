import * as contract from '@earshot/contract/user-setting';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { eraseUserSetting, findUserSettings, readUserSetting, storeUserSetting } from './rules.ts';

export function serveUserSettings(http: HttpApp, db: Pool): void {
  serve(http, contract.listUserSettings, ({ caller, query }) => findUserSettings(db, caller, query));
  serve(http, contract.getUserSetting, ({ caller, query }) => readUserSetting(db, caller, query));
  serve(http, contract.putUserSetting, ({ caller, query, body }) => storeUserSetting(db, caller, query, body));
  serve(http, contract.deleteUserSetting, ({ caller, query }) => eraseUserSetting(db, caller, query));
}
