import { ApiError } from '@earshot/client/api-error';
import type { AuditExport, AuditEntryPage } from '@earshot/contract/audit';
import { exportAuditEntries } from '@earshot/contract/audit';
import { api, connection } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';

export const entriesPerPage = 100;

export const entriesOf = (filter: AuditExport, count: number): Query<AuditEntryPage> => ({
  key: `audit ${count} ${JSON.stringify(filter)}`,
  load: () => api.listAuditEntries({ body: { ...filter, count } }),
});

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
  if (!response.ok) throw ApiError.from(response, await response.text());
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `earshot-audit-${new Date().toISOString().slice(0, 10)}.${type}`;
  link.click();
  URL.revokeObjectURL(address);
}
