import { createReadStream } from 'node:fs';
import type { Storage } from './storage.ts';

/** Stores a complete file of this machine by reading it. */
export async function copyIn(
  storage: Pick<Storage, 'append' | 'finish'>,
  name: string,
  path: string,
  size: number,
): Promise<void> {
  await storage.append(name, { offset: 0, size, length: size, source: createReadStream(path) });
  await storage.finish(name, size);
}
