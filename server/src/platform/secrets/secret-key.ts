import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { secretKeyBytes } from './secret-box.ts';

const fileName = 'secret.key';

/** The key in the data folder; undefined if there is none. */
export const findSecretKey = (dataDir: string): Promise<Buffer | undefined> => readKey(join(dataDir, fileName));

/** The key in the data folder, created on the first start and readable only by this user. */
export async function loadSecretKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, fileName);
  const existing = await readKey(path);
  if (existing) return existing;
  await mkdir(dataDir, { recursive: true });
  // Written to another file and linked into place: no reader sees an incomplete key, and the first writer wins.
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(secretKeyBytes).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  const made = await readKey(path);
  if (!made) throw new Error(`${path} was written but cannot be read`);
  return made;
}

async function readKey(path: string): Promise<Buffer | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const key = parseSecretKey(text.trim());
  if (!key)
    throw new Error(`${path} does not contain a key of ${secretKeyBytes} bytes in base64; restore it from a backup`);
  return key;
}

export function parseSecretKey(text: string): Buffer | undefined {
  const key = Buffer.from(text, 'base64');
  return key.length === secretKeyBytes && /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? key : undefined;
}
