import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestServer } from '@earshot/server/testing/server';
import { createTestDatabase } from '@earshot/server/testing/database';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../../platform/database/connect.ts';
import { createOutbound } from '../../../../platform/outbound/outbound.ts';
import { createSecretBox } from '../../../../platform/secrets/secret-box.ts';
import { startMemoryStore } from '../../../../platform/storage/tests/memory-store.ts';
import { recordingLog } from '../../../../testing/log.ts';
import type { PutHead } from '../heads-place.ts';
import { headsPlaceFault, openHeadsPlace } from '../heads-place.ts';
import { sealEntries } from '../seal.ts';
import { sendHead } from '../send-heads.ts';

const secretKey = randomBytes(32);
const noKeys = { accessKey: '', secretKey: '' };
const local = createOutbound({ allowNetworks: ['127.0.0.0/8'] });
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ secretKey });
});
afterAll(() => server.stop());

const log = recordingLog();
const warnings = () => log.lines.map(({ message }) => message).join('\n');
const send = (put: PutHead) => sendHead({ db: server.db, log, put }, 0);

async function addHead(): Promise<void> {
  const { size } = await server.admin.session.getAuditLog();
  await server.admin.withKey();
  const sealed = async () => {
    await sealEntries({ db: server.db, secretBox: createSecretBox(secretKey) }, { waits: true });
    return (await server.admin.session.getAuditLog()).size;
  };
  await expect.poll(sealed).toBeGreaterThan(size);
}

test('the newest head is sent to a folder, once, under a name that sorts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-heads-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const put = openHeadsPlace({ url: folder, ...noKeys }, local);
  await addHead();
  await send(put);
  await send(put);
  const { head, size, sentSize } = await server.admin.session.getAuditLog();
  expect(sentSize).toBe(size);
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.txt'));
  expect(files).toHaveLength(1);
  expect(files[0]).toMatch(/^\d{4}-\d\d\/0001-[0-9a-f]{8}-\d{12}\.txt$/);
  expect(await readFile(join(folder, files[0] ?? ''), 'utf8')).toBe(head);
});

test('the head of an empty log is not sent, and does not wait to be', async () => {
  const database = await createTestDatabase();
  const db = connect(database.url, { connections: 2, name: 'empty log' });
  onTestFinished(() => db.end({ timeout: 1 }).then(() => database.drop()));
  const parts = { db, secretBox: createSecretBox(secretKey) };
  const sent: string[] = [];
  const put = (name: string) => Promise.resolve(void sent.push(name));
  await sealEntries(parts, { waits: true });
  await sendHead({ db, log, put }, 0);
  expect(await db`select size, head is not null as signed, unsent_since from audit_log`).toEqual([
    { size: 0, signed: true, unsent_since: null },
  ]);
  // A version before may have noted that it waits.
  await db`update audit_log set unsent_since = now()`;
  await sendHead({ db, log, put }, 0);
  expect(sent).toEqual([]);
  await db`insert into audit_entries (action) values ('sign-out')`;
  await expect
    .poll(() =>
      sealEntries(parts, { waits: true })
        .then(() => sendHead({ db, log, put }, 0))
        .then(() => sent),
    )
    .toHaveLength(1);
  expect(sent[0]).toMatch(/-000000000001\.txt$/);
});

test('over HTTP it is a PUT below the address; a refusal is told, tried again, and reported when it lasts', async () => {
  const received: { path: string; body: string }[] = [];
  let status = 503;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push({ path: `${request.method} ${request.url}`, body: await text(request) });
    response.writeHead(status).end();
  };
  const host = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void host.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void host.close());
  const { port } = host.address() as AddressInfo;
  const put = openHeadsPlace({ url: `http://127.0.0.1:${port}/kept/?token=t`, ...noKeys }, local);
  await addHead();
  await send(put);
  expect((await server.admin.session.getAuditLog()).sentSize).not.toBe((await server.admin.session.getAuditLog()).size);
  expect(warnings()).not.toContain('cannot be sent away');
  await server.db`update audit_log set unsent_since = now() - interval '20 minutes', sending_until = null`;
  await send(put);
  expect(warnings()).toContain('cannot be sent away');
  status = 201;
  await server.db`update audit_log set sending_until = null`;
  await send(put);
  const { head, size, sentSize } = await server.admin.session.getAuditLog();
  expect(sentSize).toBe(size);
  expect(received.at(-1)?.path).toMatch(/^PUT \/kept\/\d{4}-\d\d\/0001-[0-9a-f]{8}-\d{12}\.txt\?token=t$/);
  expect(received.at(-1)?.body).toBe(head);
});

test('into a bucket it is one object below the prefix', async () => {
  const store = await startMemoryStore();
  const url = store.url.replace('s3://recordings', 's3://recordings/heads/');
  const put = openHeadsPlace({ url, accessKey: 'a', secretKey: 'b' }, local);
  await addHead();
  await send(put);
  const { size, sentSize } = await server.admin.session.getAuditLog();
  expect(sentSize).toBe(size);
  expect(store.keys()).toEqual([expect.stringMatching(/^heads\/\d{4}-\d\d\/0001-[0-9a-f]{8}-\d{12}\.txt$/)]);
});

test.each(['http', 's3'] as const)(
  'a web page in place of a host that keeps files is a fault, over %s',
  async (kind) => {
    const page = '<!DOCTYPE html><html><body>Sign in to the network</body></html>';
    let status = 200;
    const host = createServer((request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    });
    await new Promise<void>((resolve) => void host.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void host.close());
    const { port } = host.address() as AddressInfo;
    const url = kind === 'http' ? `http://127.0.0.1:${port}/` : `s3://recordings?endpoint=http://127.0.0.1:${port}`;
    const put = openHeadsPlace({ url, accessKey: 'a', secretKey: 'b' }, local);
    await addHead();
    await send(put);
    const [row] =
      await server.db`select size > coalesce(sent_size, 0) as "isWaiting", send_fault as fault from audit_log`;
    expect(row).toMatchObject({ isWaiting: true, fault: expect.stringContaining('web page') as string });
    if (kind === 's3') return;
    // Some hosts tell in a page that they keep the file.
    status = 201;
    await put('2026-11/a.txt', 'head');
  },
);

test('an address that is not public is not called, unless the operator allows its network', async () => {
  const put = openHeadsPlace({ url: 'http://127.0.0.1:9/', ...noKeys }, createOutbound({ allowNetworks: [] }));
  await expect(put('a.txt', 'x')).rejects.toThrow(/not public/);
});

test('a wrong setting is told in words', () => {
  const fault = (url: string) => headsPlaceFault({ url, ...noKeys });
  expect(fault('/mnt/heads')).toBeUndefined();
  expect(fault('https://example.org/heads')).toBeUndefined();
  expect(fault('heads')).toMatch(/absolute path/);
  expect(fault('s3://bucket/heads')).toMatch(/EARSHOT_AUDIT_HEADS_S3_ACCESS_KEY/);
  expect(headsPlaceFault({ url: 's3://b', accessKey: 'a', secretKey: 'b' })).toMatch(/bucket/);
});
