import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needs } from '@earshot/server/testing/needs';
import { expect, onTestFinished, test } from 'vitest';
import { adminSettings } from './admin.ts';
import { repository, startServer, stopServer } from './server-process.ts';

const run = promisify(execFile);

test("the commands of the README's first session work", needs('curl'), async () => {
  const readme = await readFile(join(repository, 'README.md'), 'utf8');
  const session = /## A first session[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  expect(session.match(/^curl /gm)).toHaveLength(12);

  const folder = await mkdtemp(join(tmpdir(), 'earshot-readme-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const server = await startServer({ dataDir: join(folder, 'data'), settings: adminSettings });
  // The only difference from the README: this server has another port.
  const script = session.replace('URL=http://127.0.0.1:8080', `URL=${server.url}`);
  expect(script).not.toBe(session);
  const { stdout } = await run(
    'bash',
    ['-euo', 'pipefail', '-c', script.replaceAll('curl -sS', 'curl -sS --fail-with-body -w "\\n"')],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...adminSettings },
    },
  );
  const answers = stdout.split('\n').filter((line) => line.startsWith('{') || line.startsWith('['));
  expect(answers.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { email: adminSettings.EARSHOT_ADMIN_EMAIL, role: 'admin' },
    { key: 1, deviceSerial: 'recorder-17', online: false },
    { status: 1, secretKey: expect.stringMatching(/.{40}/) },
    { deviceID: 1, processID: 4711, version: '1.4.0' },
    { recentOutput: 'recording' },
    [{ deviceName: 'North gate', online: true }],
    { key: 1, deviceID: 1, audioClipStatus: 0 },
    { key: 1, audioClipStatus: 3, fileSize: 8044, clipLengthInSeconds: 1, bitrate: 64_000 },
    { waitingCount: 1, workingCount: 0, state: 'unavailable' },
    { total: 0, results: [] },
    [{ key: 1, deviceName: 'North gate', tagList: [] }],
  ]);
  expect((await stat(join(folder, 'head-of-dawn.wav'))).size).toBe(44);
  await stopServer(server);
});

test('it names exactly the two commands that exist', async () => {
  const readme = await readFile(join(repository, 'README.md'), 'utf8');
  const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as { scripts: object };
  const commands = [...readme.matchAll(/^npm ci && npm (\w+)$/gm)].map(([, name]) => name);
  expect(commands).toEqual(['start', 'test']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands));
});
