import type { Readable } from 'node:stream';
import { notFound } from '../../../errors.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { Program } from './queries.ts';
import { findProgramSize } from './queries.ts';

export const storedName = (sha256: string): string => `program-${sha256}`;

export async function readProgram(
  { db, storage }: { readonly db: Db; readonly storage: Storage },
  program: Program,
  sha256: string,
): Promise<{ readonly size: number; readonly bytes: Readable }> {
  const size = /^[0-9a-f]{64}$/.test(sha256) ? await findProgramSize(db, program, sha256) : undefined;
  if (size === undefined) throw notFound(program === 'agent' ? 'version of the agent' : 'program', sha256);
  return { size, bytes: await storage.read(storedName(sha256)) };
}
