import type { Pool } from '@earshot/server/platform/database/connect';

/** All forms in which a column may contain a secret unencrypted: as text, as bytes, or encoded. */
function tracesOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const decoded = Buffer.from(secret, 'base64url');
  const isToken = /^[\w-]{43}$/.test(secret);
  return [
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    ...(isToken ? [decoded.toString('hex'), decoded.toString('base64').replace(/=+$/, '')] : []),
  ];
}

export interface Secret {
  readonly name: string;
  readonly secret: string;
}

/** The places in the texts where a secret can be read. */
export function findInClear(
  secrets: readonly Secret[],
  texts: readonly { place: string; text: string }[],
): readonly string[] {
  return secrets.flatMap(({ name, secret }) => {
    const traces = tracesOf(secret);
    return texts
      .filter(({ text }) => traces.some((trace) => text.includes(trace)))
      .map(({ place }) => `${name} in ${place}`);
  });
}

/** All rows of all tables; bytes appear in hex. */
export async function readWholeDatabase({
  db,
}: {
  readonly db: Pool;
}): Promise<readonly { place: string; text: string }[]> {
  const tables = await db<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  const places: { place: string; text: string }[] = [];
  for (const { name } of tables) {
    const rows = await db.unsafe<{ text: string }[]>(`select row_to_json(t)::text as text from ${name} t`);
    places.push({ place: name, text: rows.map(({ text }) => text).join('\n') });
  }
  return places;
}
