import type { Readable, Writable } from 'node:stream';

/** What a program gets from the system. Tests give their own. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
}
