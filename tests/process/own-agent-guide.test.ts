import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { makeDataFolder } from '@earshot/server/testing/made-data';
import { needs } from '@earshot/server/testing/needs';
import { expect, test } from 'vitest';
import { adminSettings } from './admin.ts';
import { repository, startServer, stopServer } from './server-process.ts';

const needed = needs('curl', 'openssl');

const run = promisify(execFile);

test('every command of the guide to a program for a recorder works, in its order', needed, async () => {
  const guide = await readFile(join(repository, 'docs/guides/write-your-own-agent.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  expect(blocks.length).toBe([...guide.matchAll(/^```/gm)].length / 2);
  expect(blocks.join('').match(/^(signed|curl) /gm)).toHaveLength(20);

  const folder = await openScratch();
  const dataDir = await makeDataFolder(join(folder, 'data'));
  const server = await startServer({ dataDir, settings: adminSettings });
  // The only differences from the guide: this server has another port, and a refused request ends the run.
  const script = blocks
    .join('\n')
    .replace('URL=http://127.0.0.1:8080', `URL=${server.url}`)
    .replaceAll('curl -sS', 'curl -sS --fail-with-body --max-time 100');
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...adminSettings },
  }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`the guide stopped:\n${error.stdout}\n${error.stderr}`);
  });
  // Responses end without a line end, so that one may follow another on the same line.
  const answers = stdout.split(/\n|(?<=[}\]])(?=[[{e])/).filter((text) => /^[[{]/.test(text));
  expect(answers.map((text) => JSON.parse(text) as unknown)).toMatchObject([
    { role: 'admin' },
    { key: 1, deviceSerial: 'field-7' },
    { key: 1, deviceID: 1, version: '1.0.0' },
    { deviceHealthID: 1 },
    { key: 1 },
    [{ key: 1, startTimeMs: 250, audioClipStatus: 0 }],
    [{ key: 1, eventType: 'Upload_audio_clips', eventStatus: 1 }],
    { key: 1, eventStatus: 2, agentID: 1, attemptNumber: 1 },
    { key: 1, eventStatus: 3 },
    { key: 1, eventStatus: 4, result: '1 uploaded.' },
    { key: 1, audioClipStatus: 3, fileSize: 8044 },
  ]);
  await stopServer(server);
});
