import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, assert, integer, property } from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { diskPath, isPlainPath, decodeName, showPath } from './file-name.ts';

const bytesOf = (path: string): Buffer => Buffer.from(diskPath(path) as string);

test('every name is kept byte for byte, also in JSON, and two names never look alike', () => {
  const shown = new Map<string, string>();
  const names = array(integer({ min: 1, max: 255 }), { maxLength: 12 });
  assert(
    property(names, (codes) => {
      const bytes = Buffer.from(codes);
      const name = JSON.parse(JSON.stringify(decodeName(bytes))) as string;
      expect(bytesOf(name)).toEqual(bytes);
      const before = shown.get(showPath(name));
      expect(before ?? name).toBe(name);
      shown.set(showPath(name), name);
      expect(showPath(name)).toBe(showPath(name).toWellFormed());
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['/recordings/Käfer 🐞.wav', '/recordings/Käfer 🐞.wav', true],
  [decodeName(Buffer.from('caf\xe9.wav', 'latin1')), String.raw`caf\xe9.wav`, false],
  ['two\nlines\t\u001b[31m.wav', String.raw`two\x0alines\x09\x1b[31m.wav`, true],
  [String.raw`a\xe9.wav`, String.raw`a\\xe9.wav`, true],
  ['right\u202Eto left.wav', String.raw`right\u{202e}to left.wav`, true],
])('%j is shown as %s', (path, shown, isPlain) => {
  expect(showPath(path)).toBe(shown);
  expect(isPlainPath(path)).toBe(isPlain);
});

test('a file whose name is not UTF-8 is found and opened', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-name-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x2e, 0x77])]), 'sound');
  const [name] = await readdir(folder, { encoding: 'buffer' });
  expect(await readFile(diskPath(join(folder, decodeName(name!))), 'utf8')).toBe('sound');
});
