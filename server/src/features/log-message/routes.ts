import * as contract from '@earshot/contract/log-message';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveOnce } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import { requireReportingDevice } from '../device/public.ts';
import { addLine, findLines, readLine } from './rules.ts';

export function serveLogMessages(http: HttpApp, { db }: { readonly db: Pool }): void {
  serveOnce(
    http,
    contract.createLogMessage,
    db,
    ({ caller, body }, within) => addLine(within, caller, body),
    ({ caller, body }, within) => requireReportingDevice(within, caller, body),
  );
  serve(http, contract.getLogMessage, ({ caller, params }) => readLine(db, caller, params.logMessageID));
  serve(http, contract.listLogMessages, ({ caller, body }) => findLines(db, caller, body));
}
