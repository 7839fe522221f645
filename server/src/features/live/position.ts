/** A place in the log of changes: after this row, and everything before it. */
export interface Position {
  /** The transaction that made the change; a number holds any that a database will live to see. */
  readonly xid: number;
  readonly key: number;
}

/** As the stream's `id`. */
export const positionText = ({ xid, key }: Position): string => `${xid}-${key}`;

/** Reads what the contract's pattern has let through. */
export function readPosition(text: string): Position {
  const [xid, key] = text.split('-').map(Number);
  return { xid: xid ?? 0, key: key ?? 0 };
}

export const isAfter = (a: Position, b: Position): boolean => a.xid > b.xid || (a.xid === b.xid && a.key > b.key);
