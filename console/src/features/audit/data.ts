import { ApiError } from '@earshot/client/api-error';
import type { AuditExport, AuditEntryPage } from '@earshot/contract/audit';
import { exportAuditEntries } from '@earshot/contract/audit';
import type { AuditLogState } from '@earshot/contract/audit-log';
import { exportAuditLog } from '@earshot/contract/audit-log';
import { api, connection } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';
import { saveFile } from '../../lib/save-file.ts';

export const entriesPerPage = 100;

export const entriesOf = (filter: AuditExport, count: number): Query<AuditEntryPage> => ({
  key: `audit ${count} ${JSON.stringify(filter)}`,
  load: () => api.listAuditEntries({ body: { ...filter, count } }),
});

/** For admins. */
export const sealedLog: Query<AuditLogState> = { key: 'audit log', load: () => api.getAuditLog() };

const exportTypes = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const;
export type ExportType = keyof typeof exportTypes;

/** Saves all entries that match as a file. */
export async function downloadEntries(filter: AuditExport, type: ExportType): Promise<void> {
  const { method, path } = exportAuditEntries;
  const response = await connection.fetch(new URL(path, connection.url), {
    method,
    headers: { accept: exportTypes[type], 'content-type': 'application/json' },
    body: JSON.stringify(filter),
  });
  await saveAnswer(response, `earshot-audit-${today()}.${type}`);
}

/** Saves the sealed log for `earshot verify-audit`. */
export async function downloadLog(): Promise<void> {
  const { method, path } = exportAuditLog;
  const response = await connection.fetch(new URL(path, connection.url), { method });
  await saveAnswer(response, `earshot-audit-log-${today()}.jsonl`);
}

const today = (): string => new Date().toISOString().slice(0, 10);

async function saveAnswer(response: Response, name: string): Promise<void> {
  if (!response.ok) throw ApiError.from(response, await response.text());
  saveFile(await response.blob(), name);
}
