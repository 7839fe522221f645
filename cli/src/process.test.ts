import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../bin/earshot.mjs', import.meta.url));

test('a reader that has read enough ends the program without an error', async () => {
  const { stdout, stderr } = await run('sh', ['-c', `"${process.execPath}" "${program}" --help | head -n 1`]);
  expect(stdout).toBe('Work with a fleet of recorders from a terminal.\n');
  expect(stderr).toBe('');
});

test('Ctrl-C ends a stream at once, without an error', async () => {
  const server = await sharedTestServer();
  const person = await server.addPerson();
  const { credential } = await person.withKey();
  const device = await person.session.createDevice({ body: { deviceSerial: `process-${person.userID}` } });
  const child = spawn(process.execPath, [program, 'tail', '--json'], {
    env: {
      ...process.env,
      EARSHOT_URL: server.url,
      EARSHOT_ACCESS_KEY: credential.accessKey,
      EARSHOT_SECRET_KEY: credential.secretKey,
    },
  });
  const change = () =>
    person.session.updateDevice({
      params: { deviceID: device.key! },
      body: { deviceDescription: String(Math.random()) },
    });
  // Changes from before the stream is open are not on it.
  const changes = setInterval(() => void change().catch(() => {}), 300);
  onTestFinished(() => {
    clearInterval(changes);
    child.kill('SIGKILL');
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  expect(JSON.parse(line.split('\n', 1)[0]!)).toMatchObject({ event: 'device', key: device.key });
  child.kill('SIGINT');
  const [code] = (await once(child, 'close')) as [number];
  expect({ code, err }).toEqual({ code: 130, err: '' });
});
