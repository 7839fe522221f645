import { Readable } from 'node:stream';
import { getAlertReport } from '@earshot/contract/alert';
import type { HttpApp } from '../../../platform/http/http-app.ts';
import { routeOperation } from '../../../platform/http/serve.ts';
import { reportPolicy, writeHtml } from './html.ts';
import { writeLines } from './lines.ts';
import type { AlertReportParts } from './report.ts';
import { makeReport } from './report.ts';

const mediaOf = { html: 'text/html', jsonl: 'application/x-ndjson' } as const;

export function serveReport(http: HttpApp, parts: AlertReportParts): void {
  routeOperation(http, getAlertReport, async ({ caller, params, query }, request, reply) => {
    const report = await makeReport(parts, caller, params.alertID);
    const format = query.format ?? (request.media === mediaOf.jsonl ? 'jsonl' : 'html');
    reply
      .header('content-type', `${mediaOf[format]}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="alert-${params.alertID}.${format}"`)
      .header('content-security-policy', `${reportPolicy}; sandbox; frame-ancestors 'none'`);
    const text = format === 'html' ? writeHtml(report, parts.storage) : writeLines(report);
    return reply.send(Readable.from(text, { objectMode: false }));
  });
}
