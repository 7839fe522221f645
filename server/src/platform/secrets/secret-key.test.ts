import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSecretKey, parseSecretKey } from './secret-key.ts';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-key-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('is created at the first start and read at the next', async () => {
  const folder = join(await makeFolder(), 'new', 'data');
  const key = await loadSecretKey(folder);
  expect(key).toHaveLength(32);
  expect(await loadSecretKey(folder)).toEqual(key);
  expect(await readdir(folder)).toEqual(['secret.key']);
});

test('is random', async () => {
  const keys = await Promise.all([loadSecretKey(await makeFolder()), loadSecretKey(await makeFolder())]);
  expect(keys[0]).not.toEqual(keys[1]);
});

test('is readable only by its user, with any umask', async () => {
  const mask = process.umask(0);
  onTestFinished(() => void process.umask(mask));
  const folder = await makeFolder();
  await loadSecretKey(folder);
  expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);
});

test('is created once if several processes start at the same time', async () => {
  const folder = await makeFolder();
  const keys = await Promise.all(Array.from({ length: 20 }, () => loadSecretKey(folder)));
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
  expect(await readdir(folder)).toEqual(['secret.key']);
});

test.each(['', 'nonsense', Buffer.alloc(31).toString('base64'), Buffer.alloc(64).toString('base64')])(
  'is never replaced: a file that contains %j prevents the start',
  async (text) => {
    const folder = await makeFolder();
    const path = join(folder, 'secret.key');
    await writeFile(path, text);
    await chmod(path, 0o600);
    await expect(loadSecretKey(folder)).rejects.toThrow(
      `${path} does not contain a key of 32 bytes in base64; restore it`,
    );
    expect(await readFile(path, 'utf8')).toBe(text);
  },
);

test('is accepted in both alphabets of base64, and in no other format', () => {
  const key = Buffer.alloc(32, 0xfb);
  expect(parseSecretKey(key.toString('base64'))).toEqual(key);
  expect(parseSecretKey(key.toString('base64url'))).toEqual(key);
  for (const text of [
    '',
    key.toString('hex'),
    `${key.toString('base64')}=`,
    `*${key.toString('base64url').slice(1)}`,
  ]) {
    expect(parseSecretKey(text)).toBeUndefined();
  }
});
