import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { phone, wide } from './screens.ts';
import { uploadFolder } from './upload-folder.ts';

describe('a folder of 1,000 files, with a reload in the middle', needs('chromium'), () => {
  let app: Console;
  let folder: string;
  beforeAll(async () => {
    app = await startConsole();
    folder = await mkdtemp(join(tmpdir(), 'earshot-recordings-'));
  });
  afterAll(async () => {
    await app.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([
    ['a wide screen', wide],
    ['a phone', phone],
  ])('on %s', async (name, size) => {
    const tasks = await uploadFolder(app, folder, 1_000, size);
    process.stdout.write(`${name}, longest tasks: ${tasks.slice(0, 5).map(Math.round).join(', ')} ms\n`);
    expect(app.faults).toEqual([]);
  });
});
