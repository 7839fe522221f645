import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeFolder, makeTone, writeWav } from './sound-maker.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

test('the build holds the process that reads sound without ffmpeg, beside the server', async () => {
  const run = promisify(execFile);
  await run(execPath, ['scripts/build.mjs', '--if-needed'], { cwd: repository });
  const path = await writeWav(join(await makeFolder(), 'clip.wav'), makeTone([440], 1.5, 8000));
  const task = JSON.stringify({ kind: 'measure', file: { path, container: 'wav', soundAt: 0 } });
  const { stdout } = await run(execPath, [join(repository, 'server/dist/js-decoder.js'), task]);
  expect(JSON.parse(stdout)).toMatchObject({ shape: { codec: 'pcm_s16le', sampleRate: 8000 }, seconds: 1.5 });
});
