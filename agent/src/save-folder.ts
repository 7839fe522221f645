import { open } from 'node:fs/promises';

/** A new or renamed file is on the disk only after its folder is. */
export async function saveFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
