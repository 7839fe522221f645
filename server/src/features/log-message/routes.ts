import * as contract from '@earshot/contract/log-message';
import type { Db } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { addLine, findLines, readLine } from './rules.ts';

export function serveLogMessages(http: HttpApp, { db }: { readonly db: Db }): void {
  serve(http, contract.createLogMessage, ({ caller, body }) => addLine(db, caller, body));
  serve(http, contract.getLogMessage, ({ caller, params }) => readLine(db, caller, params.logMessageID));
  serve(http, contract.listLogMessages, ({ caller, body }) => findLines(db, caller, body));
}
