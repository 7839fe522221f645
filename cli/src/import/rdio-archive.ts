import { open } from 'node:fs/promises';
import { exitCodes, Failure } from '../failure.ts';
import type { CallTable, SqliteDatabase } from './call-tables.ts';
import { versionSeven, versionSix } from './call-tables.ts';
import type { ArchiveRow } from './rows.ts';
import { readRowText, readRowNumber } from './rows.ts';

/**
 * Reads the SQLite database of rdio-scanner, version 7 (table `calls`) or 6 (table `rdioScannerCalls`). The file may be
 * damaged or made to do harm. SQLite runs as WebAssembly, without access to anything but the file; the tables must be
 * real ones, sizes are looked at before values are read, and every value of a row is checked.
 */

/** A call of any recorder is far smaller. */
const mostAudioBytes = 64 * 1024 * 1024;

export interface ArchivedCall {
  readonly id: number;
  readonly audio: Uint8Array<ArrayBuffer>;
  readonly audioName: string;
  readonly audioType: string;
  /** The fields of the upload, as rdio-scanner's own uploads have them. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A row that cannot be imported. */
export interface BadCall {
  readonly id: number;
  readonly reason: string;
  /** The rest of the file after this call cannot be read; the call itself is not bad. */
  readonly isRest?: true;
}

export interface RdioArchive {
  readonly version: 6 | 7;
  readonly count: number;
  /** The calls with a greater id, in the order of their ids. */
  readCalls(afterID: number): Generator<ArchivedCall | BadCall>;
  /** One call; undefined if the archive does not have it. */
  readCall(id: number): ArchivedCall | BadCall | undefined;
  /** Tells whether an id still names the same call. */
  markOf(id: number): string | undefined;
  close(): void;
}

/** Calls with more than `largestBytes` of sound are bad. */
export async function openRdioArchive(path: string, largestBytes = mostAudioBytes): Promise<RdioArchive> {
  await checkHeader(path);
  const sqlite = await loadSqlite();
  let db: SqliteDatabase;
  try {
    db = new sqlite.Database(path, { readOnly: true, fileMustExist: true });
    db.exec('pragma trusted_schema = off');
    db.exec('pragma cell_size_check = on');
  } catch (error) {
    throw unreadable(path, error);
  }
  try {
    return { ...openTables(db, path, largestBytes), close: () => db.close() };
  } catch (error) {
    db.close();
    throw error instanceof Failure ? error : unreadable(path, error);
  }
}

/** A package of its own beside the command line, which was perhaps copied alone. */
async function loadSqlite() {
  try {
    return (await import('node-sqlite3-wasm')).default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Failure(
      'The command line as one file has no SQLite. Use its package instead, with “npx” and the file earshot-….tgz of the release.',
      exitCodes.notFound,
    );
  }
}

const unreadable = (path: string, error: unknown): Failure =>
  new Failure(`${path} cannot be read: ${(error as Error).message}. Stop rdio-scanner and import a copy of its file.`);

const magic = 'SQLite format 3\0';
const headerBytes = 100;

/** Faults that SQLite itself reports unclearly or not at all. */
async function checkHeader(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
    if (bytesRead < headerBytes || buffer.toString('latin1', 0, magic.length) !== magic) {
      throw new Failure(`${path} is not an SQLite database. Name the file rdio-scanner.db of rdio-scanner.`);
    }
    if (buffer[18] === 2) {
      throw new Failure(
        `${path} is in WAL mode. Make a copy of it with all its changes: sqlite3 ${path} "vacuum into 'copy.db'", and import the copy.`,
      );
    }
    // The count of pages is valid if it is of the last change.
    const isCounted = buffer.readUInt32BE(24) === buffer.readUInt32BE(92);
    const pageBytes = buffer.readUInt16BE(16) === 1 ? 65_536 : buffer.readUInt16BE(16);
    const expected = pageBytes * buffer.readUInt32BE(28);
    const { size } = await file.stat();
    if (isCounted && size < expected) {
      throw new Failure(
        `${path} is cut off: it has ${size} of ${expected} bytes. Stop rdio-scanner and copy it again.`,
      );
    }
  } finally {
    await file.close();
  }
}

function openTables(db: SqliteDatabase, path: string, largestBytes: number): Omit<RdioArchive, 'close'> {
  const tables = new Set(
    db
      .all(`select name from sqlite_master where type = 'table' limit 1000`)
      .map((row) => readRowText(row as ArchiveRow, 'name', 200)),
  );
  // A view or a computed column would run statements of the file.
  const isPlain = (table: string) =>
    tables.has(table) &&
    db.all('select hidden from pragma_table_xinfo(?)', [table]).every((row) => (row as ArchiveRow)['hidden'] === 0);
  const reader = isPlain('calls')
    ? versionSeven(db, isPlain)
    : isPlain('rdioScannerCalls')
      ? versionSix(db, isPlain)
      : undefined;
  if (!reader) throw new Failure(`${path} has no calls of rdio-scanner (version 6 or 7).`);
  return {
    version: reader.version,
    count: countRows(db, reader.table),
    markOf: (callID) => readMark(db, reader, callID),
    *readCalls(afterID) {
      for (let last = afterID; ;) {
        const row = readNext(db, reader, last);
        if (row === undefined) return;
        const callID = readRowNumber(row, 'id');
        // A damaged tree can name a row twice or backwards.
        if (callID === undefined || callID <= last) {
          yield { id: last, reason: 'The rest of the file is damaged and cannot be read.', isRest: true };
          return;
        }
        last = callID;
        yield readCall(db, reader, { id: callID, row, largestBytes });
      }
    },
    readCall(id) {
      const row = readNext(db, reader, id - 1);
      if (row && typeof row['reason'] === 'string') return { id, reason: `It cannot be read: ${row['reason']}.` };
      return row && readRowNumber(row, 'id') === id ? readCall(db, reader, { id, row, largestBytes }) : undefined;
    },
  };
}

/** Size and time of a call; undefined if there is none, or if it cannot be read. */
function readMark(db: SqliteDatabase, { table, id, time }: CallTable, callID: number): string | undefined {
  const facts = `typeof("audio") as kind, length("audio") as bytes, substr("${time}", 1, 40) as time`;
  try {
    const row = db.get(`select ${facts} from "${table}" where "${id}" = ?`, [callID]) as ArchiveRow | null;
    return row ? JSON.stringify([row['kind'], Number(row['bytes']), String(row['time'])]) : undefined;
  } catch {
    return undefined;
  }
}

/** For the progress; 0 if the file is damaged. */
function countRows(db: SqliteDatabase, table: string): number {
  try {
    return Number((db.get(`select count(*) as count from "${table}"`) as ArchiveRow)['count'] ?? 0);
  } catch {
    return 0;
  }
}

function readNext(db: SqliteDatabase, { table, id, columns }: CallTable, last: number): ArchiveRow | undefined {
  const sql = `select "${id}" as id, typeof("audio") as kind, length("audio") as bytes, ${columns} from "${table}" where "${id}" > ? order by "${id}" limit 1`;
  try {
    return (db.get(sql, [last]) ?? undefined) as ArchiveRow | undefined;
  } catch (error) {
    return { id: last, reason: (error as Error).message };
  }
}

interface FoundRow {
  readonly id: number;
  readonly row: ArchiveRow;
  readonly largestBytes: number;
}

function readCall(db: SqliteDatabase, table: CallTable, { id, row, largestBytes }: FoundRow): ArchivedCall | BadCall {
  const bytes = readRowNumber(row, 'bytes') ?? 0;
  if (row['kind'] !== 'blob' || bytes === 0) return { id, reason: 'It has no sound.' };
  if (bytes > largestBytes) return { id, reason: `Its sound is too large: ${bytes} bytes.` };
  try {
    const fields = table.fieldsOf(id, row);
    if (typeof fields === 'string') return { id, reason: fields };
    const { audio } = (db.get(`select "audio" as audio from "${table.table}" where "${table.id}" = ?`, [id]) ??
      {}) as ArchiveRow;
    if (!(audio instanceof Uint8Array) || audio.length !== bytes) return { id, reason: 'Its sound is damaged.' };
    return {
      id,
      audio: new Uint8Array(audio),
      audioName: readRowText(row, 'audioName', 200) || `${id}`,
      audioType: readRowText(row, 'audioType', 100) || 'application/octet-stream',
      fields,
    };
  } catch (error) {
    return { id, reason: `It cannot be read: ${(error as Error).message}.` };
  }
}
