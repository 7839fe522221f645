import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noBrowser } from './browser.ts';
import { startConsole } from './console.ts';
import { uploadFolder } from './upload-folder.ts';

test.skipIf(noBrowser !== undefined)('a folder of 1,000 files, with a reload in the middle', async () => {
  const app = await startConsole();
  const folder = await mkdtemp(join(tmpdir(), 'earshot-recordings-'));
  try {
    const tasks = await uploadFolder(app, folder, 1_000);
    process.stdout.write(`longest tasks of the page: ${tasks.slice(0, 5).map(Math.round).join(', ')} ms\n`);
    expect(app.faults).toEqual([]);
  } finally {
    await app.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
