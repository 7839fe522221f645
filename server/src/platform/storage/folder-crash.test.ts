import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { needs } from '../../testing/needs.ts';
import { expect, onTestFinished, test } from 'vitest';
import { compileProgram } from '../../testing/compile-program.ts';
import { createFolderStorage } from './folder-storage.ts';
import { isPattern, sendPattern } from './testing/pattern.ts';

async function makeRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'earshot-storage-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

/** Starts a process with `storage` on that folder, which runs the given code. */
function launch(root: string, body: string, before: readonly string[] = []): ChildProcess {
  const pathOf = (file: string) => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)));
  const compiled = compileProgram(`
    import { createFolderStorage } from ${pathOf('folder-storage.ts')};
    import { sendPattern } from ${pathOf('testing/pattern.ts')};
    const storage = createFolderStorage({ root: process.argv[2] ?? '' });
    ${body}`);
  const [program, ...first] = [...before, process.execPath];
  const child = spawn(program, [...first, compiled, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

test('after a process is killed during an append, another continues the upload', async () => {
  const [root, name, size] = [await makeRoot(), randomUUID(), 1_000_000];
  const child = launch(
    root,
    `async function* source() {
      for await (const chunk of sendPattern(0, 500_000)) {
        yield chunk;
        console.log('sent');
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    await storage.append('${name}', { offset: 0, size: ${size}, source: source() });`,
  );
  await once(child.stdout!, 'data');
  await sleep(100);
  await kill(child);

  const storage = createFolderStorage({ root, staleAfterMs: 200 });
  expect(await storage.sizeOf(name)).toBeUndefined();
  for await (const entry of storage.list()) expect(entry).toMatchObject({ name, isFinished: false });
  const offset = await storage.uploadOffset(name, size);
  expect(offset).toBeGreaterThan(0);
  expect(await storage.append(name, { offset, size, source: sendPattern(offset, size) })).toBe(size);
  await storage.finish(name, size);
  expect(isPattern(await buffer(await storage.read(name)))).toBe(true);
});

test('a process that is killed at any moment leaves no incomplete file', async () => {
  const [root, size] = [await makeRoot(), 50_000];
  for (let round = 0; round < 5; round += 1) {
    const child = launch(
      root,
      `import { randomUUID } from 'node:crypto';
      const storeForEver = async () => {
        for (;;) {
          const name = randomUUID();
          await storage.append(name, { offset: 0, size: ${size}, source: sendPattern(0, ${size}) });
          await storage.finish(name, ${size});
          console.log(name);
        }
      };
      await Promise.all([storeForEver(), storeForEver(), storeForEver()]);`,
    );
    await once(child.stdout!, 'data');
    const said = text(child.stdout!);
    await sleep(Math.random() * 200);
    await kill(child);
    const storage = createFolderStorage({ root });
    for (const name of (await said).split('\n').slice(0, -1)) expect(await storage.sizeOf(name)).toBe(size);
    for await (const { name, isFinished } of storage.list()) {
      if (isFinished) expect(isPattern(await buffer(await storage.read(name)))).toBe(true);
    }
  }
});

/** A mount that only the process sees and that ends with it. */
function onOwnDisk(root: string, options: string): string[] {
  const mount = `mount -t tmpfs -o ${options} none '${root}' && exec "$@"`;
  const asRoot = process.geteuid?.() === 0 ? [] : ['--map-root-user'];
  return ['unshare', ...asRoot, '--mount', 'sh', '-c', mount, '-'];
}

test('a full disk is reported as full, and incomplete writes are discarded', needs('mounts'), async () => {
  const root = await makeRoot();
  const disk = onOwnDisk(root, 'size=1m');
  const child = launch(
    root,
    `const size = 4_000_000;
    const append = (name, offset, end) => storage.append(name, { offset, size, source: sendPattern(offset, end) });
    const error = await append('a', 0, size).catch((thrown) => thrown);
    await append('b', 0, 100_000);
    await append('b', 100_000, size).catch(() => {});
    const offsets = [await storage.uploadOffset('a', size), await storage.uploadOffset('b', size)];
    const names = [];
    for await (const { name } of storage.list()) names.push(name);
    await append('c', 0, 800_000);
    console.log(JSON.stringify([error.constructor.name, error.message, error.isFull, offsets, names]));`,
    disk,
  );
  const message = `files cannot be stored in ${root}: the disk is full`;
  expect(JSON.parse(await text(child.stdout!))).toEqual(['StorageUnavailable', message, true, [0, 100_000], ['b']]);
});

test('the check fails for a folder that cannot be written to', needs('mounts'), async () => {
  const root = await makeRoot();
  const disk = onOwnDisk(root, 'ro');
  const child = launch(root, 'await storage.check().catch((error) => console.log(String(error)));', disk);
  expect(await text(child.stdout!)).toBe(`Error: files cannot be stored in ${root}: the disk is read-only\n`);
});
