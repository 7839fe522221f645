import type { AuditHead } from './audit-head.ts';

/*
 * Heads of the sealed audit log that are kept elsewhere: what the server that sends them away and the programs that compare
 * them agree on.
 */

/** The head of an empty log is not sent away and proves nothing: all empty logs have the same root. */
export const smallestKeptSize = 1;

export const isProof = ({ size }: Pick<AuditHead, 'size'>): boolean => size >= smallestKeptSize;

const suffix = '.txt';

/** Sorts by epoch and size; a folder for each month, because there may be many. */
export function keptNameOf({ epochs, size, signedDate }: AuditHead): string {
  const { number = 1, id = '' } = epochs.at(-1) ?? {};
  const name = [String(number).padStart(4, '0'), id.slice(0, 8), String(size).padStart(12, '0')].join('-');
  return `${signedDate.slice(0, 7)}/${name}${suffix}`;
}

/** Whether a file of the place may be a head; other files are passed over. */
export const isKeptName = (name: string): boolean => name.endsWith(suffix);
