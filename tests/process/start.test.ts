import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { makeDataFolder } from '@earshot/server/testing/made-data';
import { createPeople } from '@earshot/server/testing/person';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { expect, onTestFinished, test, vi } from 'vitest';
import { adminSettings, signInAdmin } from './admin.ts';
import { statusOf } from './probes.ts';
import type { ServerProcess } from './server-process.ts';
import { launchServer, startServer, stopServer } from './server-process.ts';

interface SetupBody {
  readonly token: string;
  readonly email: string;
  readonly password: string;
}

/** The body of the curl command that a first start prints some lines after its URL. */
async function readPrintedBody(server: ServerProcess): Promise<SetupBody> {
  const text = await vi.waitUntil(() => /-d '(\{.*\})'$/m.exec(server.said())?.[1]);
  return JSON.parse(text) as SetupBody;
}

function post(url: string, path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) });
}

test('the first start prints the set-up link; after the set-up the next start prints none', async () => {
  const dataDir = join(await openScratch(), 'data');
  const first = await startServer({ dataDir });
  expect(await statusOf(first.url, '/readyz')).toBe(200);
  const body = await readPrintedBody(first);
  expect(first.said()).toContain(`\n  ${first.url}/setup#token=${body.token}\n`);
  expect(first.said()).toContain(`curl -X POST ${first.url}/v1/setup -H 'content-type: application/json'`);
  expect(await statusOf(first.url, '/setup')).toBe(200);

  expect((await post(first.url, '/v1/setup', { ...body, token: 'another' })).status).toBe(401);
  expect((await post(first.url, '/v1/setup', body)).status).toBe(200);
  expect((await post(first.url, '/v1/setup', body)).status).toBe(409);
  await stopServer(first);

  const second = await startServer({ dataDir });
  const person = await createPeople(second.url).signIn(body.email, body.password);
  expect(await person.session.getSession()).toMatchObject({ role: 'admin' });
  await stopServer(second);
  expect(second.said()).not.toMatch(/token|setup|curl/);
  expect([...first.complaints(), ...second.complaints()]).toEqual([]);
});

test('a link of an earlier start works after a restart, as does the new one, until an account exists', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  const first = await startServer({ dataDir });
  const earlier = await readPrintedBody(first);
  await stopServer(first);
  const second = await startServer({ dataDir });
  const later = await readPrintedBody(second);
  expect(later.token).not.toBe(earlier.token);
  expect((await post(second.url, '/v1/setup', earlier)).status).toBe(200);
  expect((await post(second.url, '/v1/setup', later)).status).toBe(409);
});

test('EARSHOT_ADMIN_EMAIL and EARSHOT_ADMIN_PASSWORD create the admin, and change no existing account', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  const first = await startServer({ dataDir, settings: adminSettings });
  expect(await (await signInAdmin(first.url)).session.getSession()).toMatchObject({ role: 'admin' });
  await stopServer(first);
  expect(first.said()).not.toMatch(/token|setup|curl/);

  const settings = { ...adminSettings, EARSHOT_ADMIN_PASSWORD: 'another password for the admin' };
  const second = await startServer({ dataDir, settings });
  await signInAdmin(second.url);
});

test('a second start on a data folder names the first process and exits; the first continues', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  const first = await startServer({ dataDir });
  const second = launchServer({ dataDir });
  expect((await second.exited).code).toBe(1);
  expect(second.complaints()).toEqual([
    `earshot: the data folder ${dataDir} is in use by another Earshot server (process ${first.pid}); stop that one first, or choose another EARSHOT_DATA_DIR`,
  ]);
  expect(await statusOf(first.url, '/readyz')).toBe(200);
});

test('a port in use is reported in one line', async () => {
  const dataDir = join(await openScratch(), 'data');
  const occupant = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void occupant.close());
  await once(occupant, 'listening');
  const { port } = occupant.address() as AddressInfo;
  const server = launchServer({ dataDir, settings: { EARSHOT_PORT: String(port) } });
  expect((await server.exited).code).toBe(1);
  expect(server.complaints()).toEqual([`earshot: EARSHOT_PORT ${port} is in use by another program on 127.0.0.1`]);
});

test('an unusable data folder is reported in one line', async () => {
  const folder = await openScratch();
  await writeFile(join(folder, 'letter'), 'mine');
  for (const dataDir of [join(folder, 'letter'), join(folder, 'letter', 'data')]) {
    const server = launchServer({ dataDir });
    expect((await server.exited).code).toBe(1);
    expect(server.complaints()).toEqual([expect.stringMatching(/^earshot: EARSHOT_DATA_DIR .*letter/)]);
  }
});
