import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { ModelFile } from './declaration.ts';

export type Fault = 'missing' | 'damaged';

/** Checks files repeatedly, but reads only those that have changed since the last check. */
export interface FileChecker {
  /** What is wrong with a file, if anything. */
  findFault(path: string, file: ModelFile): Promise<Fault | undefined>;
}

export function createFileChecker(): FileChecker {
  const good = new Map<string, string>();
  return {
    async findFault(path, { bytes, sha256 }) {
      const stats = await stat(path, { bigint: true }).catch(() => undefined);
      if (!stats?.isFile()) return 'missing';
      if (stats.size !== BigInt(bytes)) return 'damaged';
      // ctime is used because a program that changes the content cannot set it back.
      const state = `${stats.ino} ${stats.ctimeNs} ${sha256}`;
      if (good.get(path) === state) return undefined;
      const found = await hashFile(path, 'sha256', 'hex').catch(() => undefined);
      if (found !== sha256) return 'damaged';
      good.set(path, state);
      return undefined;
    },
  };
}

export async function hashFile(path: string, algorithm: string, encoding: 'hex' | 'base64'): Promise<string> {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(path), hash);
  return hash.digest(encoding);
}
