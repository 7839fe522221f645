import type { AuditEntry, AuditExport, AuditFilter, AuditEntryPage } from '@earshot/contract/audit';
import { AuditEntry as EntrySchema } from '@earshot/contract/audit';
import { compileSerialiser } from '@earshot/contract/serialisation';
import { defaultCount } from '@earshot/contract/values';
import type { Db } from '../../platform/database/connect.ts';
import { readDateRange } from '../../platform/date-range.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { makePage, readCursor } from '../../platform/page-cursor.ts';
import type { PlacedRow } from '../../platform/page-cursor.ts';
import type { ReadLog } from './read-log.ts';
import { recordAct } from './record-queries.ts';
import { findAuditEntries } from './queries.ts';
import { writeCsvLine } from './csv.ts';

export interface AuditParts {
  readonly db: Db;
  readonly readLog: ReadLog;
}

const filterOf = ({ userID, deviceID, action, ...dates }: AuditExport) => ({
  userID: userID || undefined,
  deviceID: deviceID || undefined,
  action,
  ...readDateRange(dates),
});

export async function findAuditPage(
  { db, readLog }: AuditParts,
  caller: Caller,
  given: AuditFilter,
): Promise<AuditEntryPage> {
  await readLog.flush();
  const cursor = given.cursor === undefined ? undefined : readCursor(given.cursor);
  const count = given.count || defaultCount;
  const ascending = given.order?.toLowerCase() === 'asc';
  const found = await findAuditEntries(db, caller, {
    ...filterOf(given),
    after: cursor,
    count: count + 1,
    ascending: ascending !== (cursor?.isBack ?? false),
  });
  const shown = found.slice(0, count);
  const end = found.length > count ? shown.at(-1) : undefined;
  const { rows, ...cursors } = makePage({ cursor, ascending, rows: shown, end });
  return { results: [...rows], ...cursors };
}

const entriesPerPage = 1_000;
const columns = Object.keys(EntrySchema.properties) as (keyof AuditEntry)[];
const writeEntry = compileSerialiser(EntrySchema);

/** The text of an export, page by page, so that one page is in memory at a time. */
export async function* exportAudit(
  { db, readLog }: AuditParts,
  caller: Caller,
  given: AuditExport,
  isCsv: boolean,
): AsyncGenerator<string> {
  const filter = filterOf(given);
  await readLog.flush();
  await recordAct(db, caller, 'audit-exported');
  if (isCsv) yield writeCsvLine(columns);
  let after: PlacedRow | undefined;
  do {
    const found = await findAuditEntries(db, caller, { ...filter, after, count: entriesPerPage, ascending: true });
    const lines = found.map((entry) => {
      const written = writeEntry(entry);
      if (!isCsv) return `${written}\n`;
      const values = JSON.parse(written) as AuditEntry;
      return writeCsvLine(columns.map((column) => values[column]));
    });
    yield lines.join('');
    after = found.length === entriesPerPage ? found.at(-1) : undefined;
  } while (after);
}
