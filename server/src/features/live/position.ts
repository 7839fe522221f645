import { requireValue } from '../../platform/database/stored.ts';

/** A place in the log of changes: after this row and all before it. */
export interface Position {
  /** The transaction of the change. A JavaScript number can hold every xid that a database will reach. */
  readonly xid: number;
  readonly key: number;
}

/** The text for the stream's `id`. */
export const encodePosition = ({ xid, key }: Position): string => `${xid}-${key}`;

/** Reads a text that the contract's pattern has validated. */
export function readPosition(text: string): Position {
  const [xid, key] = text.split('-').map(Number);
  return { xid: requireValue(xid, 'changes.xid of a position'), key: requireValue(key, 'changes.key of a position') };
}

export const isAfter = (a: Position, b: Position): boolean => a.xid > b.xid || (a.xid === b.xid && a.key > b.key);
