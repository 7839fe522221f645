import * as contract from '@earshot/contract/audit-log';
import type { HttpApp } from '../../../platform/http/http-app.ts';
import { serveTextInPages } from '../../../platform/http/serve-pages.ts';
import { serve } from '../../../platform/http/serve.ts';
import type { AuditLogParts } from './rules.ts';
import { changeKey, describeLog, exportLog } from './rules.ts';

export function serveAuditLog(http: HttpApp, parts: AuditLogParts): void {
  serve(http, contract.getAuditLog, () => describeLog(parts));
  serveTextInPages(http, contract.exportAuditLog, ({ caller }) => exportLog(parts, caller));
  serve(http, contract.changeAuditKey, ({ caller }) => changeKey(parts, caller));
}
