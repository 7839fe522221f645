/** A row of a database that others wrote: any value may have any type. */
export type ArchiveRow = Readonly<Record<string, unknown>>;

/** A whole number that JavaScript represents exactly. */
export function readRowNumber(row: ArchiveRow, name: string): number | undefined {
  const value = row[name];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** A text of at most this length; empty for any other type. */
export function readRowText(row: ArchiveRow, name: string, longest: number): string {
  const value = row[name];
  return typeof value === 'string' ? value.slice(0, longest).replaceAll('\0', '') : '';
}
