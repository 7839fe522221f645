import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the console into a new folder, as with this NODE_ENV in the shell of the user. */
async function build(nodeEnv: string): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-console-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const module = pathToFileURL(join(root, 'scripts/build-console.mjs')).href;
  const output = relative(root, join(folder, 'index.html'));
  const script = `const { buildConsole } = await import('${module}'); await buildConsole('${root}', '${output}');`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { ...process.env, NODE_ENV: nodeEnv },
  });
  const scripts = (await readdir(join(folder, 'assets'))).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(scripts.map((name) => readFile(join(folder, 'assets', name), 'utf8')));
  return new Map(scripts.map((name, index) => [name, texts[index] ?? '']));
}

test('the console is built alike with any NODE_ENV, without paths of the machine', async () => {
  const scripts = await build('development');
  expect(scripts.size).toBeGreaterThan(5);
  expect([...scripts].filter(([, text]) => text.includes(root)).map(([name]) => name)).toEqual([]);
  expect([...scripts.keys()]).toEqual([...(await build('production')).keys()]);
});
