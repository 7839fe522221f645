import * as contract from '@earshot/contract/audit';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveTextInPages } from '../../platform/http/serve-pages.ts';
import { serve } from '../../platform/http/serve.ts';
import type { AuditParts } from './rules.ts';
import { exportAudit, findAuditPage } from './rules.ts';

export function serveAudit(http: HttpApp, parts: AuditParts): void {
  serve(http, contract.listAuditEntries, ({ caller, body }) => findAuditPage(parts, caller, body));
  serveTextInPages(http, contract.exportAuditEntries, ({ caller, body }, media) =>
    exportAudit(parts, caller, body, media === 'text/csv'),
  );
}
