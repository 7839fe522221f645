import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from '@earshot/server/platform/database/connect';

/** The text in Base64 without the signs that depend on the text around it, for each place where it may begin. */
const inBase64 = (text: string): string[] =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    return bytes.subarray(before === 0 ? 0 : 3, bytes.length - (bytes.length % 3)).toString('base64');
  });

/** The columns of all tables that contain the text: in any case, as text, JSON, in lists, in bytes or in Base64. */
export async function findInDatabase(db: Pool, text: string): Promise<string[]> {
  const columns = await db<{ table: string; column: string }[]>`
    select c.relname as table, a.attname as column
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped
    order by 1, a.attnum`;
  const found: string[] = [];
  for (const { table, column } of columns) {
    const value = db`${db(column)}::text`;
    const encoded = [Buffer.from(text).toString('hex'), ...inBase64(text)].map((part) => `%${part}%`);
    const rows = await db`
      select 1 from ${db(table)}
      where ${value} ilike ${`%${text}%`} or ${value} like any(${encoded}::text[]) limit 1`;
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}

/** The files below the folder whose name or content contains the text. */
export async function findInFolder(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile() ? await readFile(path).catch(() => Buffer.alloc(0)) : Buffer.alloc(0);
    const parts = [text, ...inBase64(text)];
    if (parts.some((part) => entry.name.includes(part) || content.includes(part))) found.push(path);
  }
  return found;
}
