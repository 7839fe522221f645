import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentStatus } from './agent-status.ts';

const pathOf = (folder: string): string => join(folder, 'status.json');

/** A reader finds the former file or the new one, never a part. It is not forced to the disk: it describes this run. */
export async function writeStatus(folder: string, status: AgentStatus): Promise<void> {
  const next = `${pathOf(folder)}.next`;
  await rm(next, { force: true });
  await writeFile(next, `${JSON.stringify(status, undefined, 2)}\n`, { mode: 0o600 });
  await rename(next, pathOf(folder));
}

/** Undefined if there is none, or a power loss damaged it. Throws if it may not be read. */
export async function readStatus(folder: string): Promise<AgentStatus | undefined> {
  try {
    const status = JSON.parse(await readFile(pathOf(folder), 'utf8')) as Partial<AgentStatus> | null;
    // Another version may have written it.
    const isWhole = status?.recordings && status.writtenDate && Array.isArray(status.sources);
    return isWhole && Array.isArray(status.faults) ? (status as AgentStatus) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
