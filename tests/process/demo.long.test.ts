import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { createPeople } from '@earshot/server/testing/person';
import { expect, onTestFinished, test, vi } from 'vitest';
import { repository } from './server-process.ts';

const patience = { timeout: 600_000, interval: 500 };

test('the demo shows a dozen devices, finds its words, goes on when run again, and is cleared', async () => {
  const folder = join(await openScratch(), 'demo');
  const start = (...args: string[]) => {
    const child = spawn(join(repository, 'node_modules/.bin/tsx'), ['demo/main.ts', ...args], {
      cwd: repository,
      env: { ...process.env, EARSHOT_DEMO_DIR: folder, EARSHOT_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    return { child, said: () => said };
  };
  const run = async (...args: string[]) => {
    const { child, said } = start(...args);
    await once(child, 'exit');
    return { code: child.exitCode, said: said() };
  };
  onTestFinished(async () => void (await run('clear')));

  const first = start();
  await vi.waitUntil(() => first.said().includes('new ones follow'), patience);
  await vi.waitUntil(() => /Search for .*: found after/.test(first.said()), patience);
  const count = async () => {
    const { url, email, password } = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')) as {
      url: string;
      email: string;
      password: string;
    };
    const { session } = await createPeople(url).signIn(email, password);
    const { results } = await session.listAudioClipPage({ body: { count: 1000 } });
    return { devices: (await session.listDevices({ body: {} })).length, clips: results.length, results };
  };
  const before = await count();
  expect(before.devices).toBe(12);
  expect(before.clips).toBeGreaterThan(100);
  expect(new Set(before.results.map(({ radioCall }) => radioCall?.talkgroup)).size).toBeGreaterThan(5);
  first.child.kill('SIGINT');
  await once(first.child, 'exit');
  expect(first.child.exitCode).toBe(0);

  const second = start();
  await vi.waitUntil(() => second.said().includes('The fleet goes on'), patience);
  const after = await count();
  expect(after.devices).toBe(12);
  const starts = after.results.map(({ deviceID, startTime, startTimeMs, radioCall }) =>
    [deviceID, startTime, startTimeMs, radioCall?.talkgroup].join(),
  );
  expect(new Set(starts).size).toBe(starts.length);
  expect(after.clips).toBeGreaterThanOrEqual(before.clips);
  // Cleared while it runs.
  expect(await run('clear')).toEqual({ code: 0, said: 'The demo and all that it made are removed.\n' });
  expect(existsSync(folder)).toBe(false);
  expect(await run('clear')).toEqual({ code: 0, said: 'There is no demo to clear.\n' });
});
