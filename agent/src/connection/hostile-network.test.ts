import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import type { TestContext } from 'vitest';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runAgent } from '../agent.ts';
import { parseConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { createHostileNetwork, portals } from '../testing/hostile-network.ts';
import { wavHeader } from '../wav.ts';

/*
 * The whole agent on plain http, with portals, filters and a man in the middle on the way. It uploads at once, and removes
 * what was uploaded.
 */

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const within = { interval: 100 };
let serials = 0;

async function makeDevice({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, settings: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-hostile-'));
  const recordings = join(folder, 'recordings');
  await mkdir(recordings);
  const network = await createHostileNetwork(server.url);
  const { client } = await server.admin.withKey();
  const deviceSerial = `hostile-${(serials += 1)}`;
  const { key: deviceID = 0 } = await client.createDevice({ body: { deviceSerial } });
  const { accessKey, secretKey = '' } = await server.admin.session.createDeviceKey({
    params: { deviceID },
    body: { isWriteOnly: true },
  });
  const source = { kind: 'folder', path: recordings, settleSeconds: 0, removeUploaded: true };
  const given = { server: network.url, deviceSerial, accessKey, secretKey, folder: join(folder, 'agent') };
  const config = parseConfig(JSON.stringify({ ...given, upload: 'atOnce', sources: [source], ...settings }));
  const lines: string[] = [];
  let stop = async (): Promise<void> => {};
  const start = () => {
    const ended = new AbortController();
    const running = runAgent({
      config,
      version: '0.0.1-test',
      log: createLog((line) => lines.push(line)),
      restart: () => {},
      installation: undefined,
      system: { bootID: 'one', reboot: async () => {} },
      signal: ended.signal,
    });
    stop = async () => {
      ended.abort();
      await running;
    };
  };
  const hashes = new Set<string>();
  const record = async (name: string, seconds = 1) => {
    const sound = Buffer.alloc(seconds * 32_000, name);
    const whole = Buffer.concat([wavHeader(sound.length), sound]);
    hashes.add(createHash('sha256').update(whole).digest('hex'));
    await writeFile(join(recordings, `${name}.wav`), whole);
  };
  const left = () => readdir(recordings);
  /** Every recording is there once, byte for byte, and no file is left. */
  const arrived = () =>
    vi.waitFor(async () => {
      expect(await left()).toEqual([]);
      const clips = await client.listAudioClips({ body: { deviceID, count: 100 } });
      expect(clips.map((clip) => clip.audioClipStatus)).toEqual([...hashes].map(() => audioClipStatus.available));
      const { proofs } = await client.proveUploads({
        body: {
          nonce: '0123456789abcdef',
          recordings: clips.flatMap(({ key = 0 }) =>
            [...hashes].map((sHA256Hash) => ({ audioClipID: key, sHA256Hash })),
          ),
        },
      });
      expect(proofs.filter(({ isStored }) => isStored)).toHaveLength(hashes.size);
    }, within);
  onTestFinished(async () => {
    await stop();
    network.stop();
    await rm(folder, { recursive: true, force: true });
  });
  /** The agent has sent more requests, whatever answers them. */
  const tried = (more = 3) => {
    const enough = network.seen.count + more;
    return vi.waitFor(() => expect(network.seen.count).toBeGreaterThanOrEqual(enough), within);
  };
  return {
    network,
    client,
    deviceID,
    secretKey,
    folder,
    lines,
    start,
    stop: () => stop(),
    record,
    left,
    arrived,
    tried,
  };
}

describe.concurrent('behind a portal that answers', () => {
  test.for(Object.entries(portals))(
    '%s, nothing is lost, and all goes on without a restart',
    async ([, portal], context) => {
      const { network, start, record, left, arrived, lines, tried } = await makeDevice(context);
      start();
      await record('20260101_100000');
      await arrived();
      network.setPortal(portal);
      for (const second of [1, 2, 3]) await record(`20260101_10000${second}`);
      await tried();
      expect(await left()).toHaveLength(3);
      // A recording has 32,044 bytes; announcements and reports are small.
      expect(network.seen.vainBytes).toBeLessThan(40_000);
      network.setPortal(undefined);
      await arrived();
      expect([...network.seen.authorizations].sort()).toEqual(['HMAC-SHA256', 'none']);
      expect(lines.filter((line) => line.includes('refused'))).toEqual([]);
    },
  );
});

test.for([302, 307, 308])('a %i to another host gets nothing, and proves nothing', async (status, context) => {
  const got: string[] = [];
  const thief = createServer((incoming, response) => {
    got.push(`${incoming.method} ${incoming.url}`);
    const headers = { 'earshot-clip-id': '1', 'upload-offset': '1', location: '/v1/upload/1', 'earshot-server': '9' };
    incoming.resume().on('end', () => response.writeHead(201, headers).end());
  });
  await once(thief.listen(0, '127.0.0.1'), 'listening');
  context.onTestFinished(() => void thief.close());
  const { network, start, record, left, arrived, tried } = await makeDevice(context);
  const location = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/v1/upload`;
  network.setPortal(
    (incoming, response) => void incoming.resume().on('end', () => response.writeHead(status, { location }).end()),
  );
  await record('20260102_100000');
  start();
  await tried();
  expect(got).toEqual([]);
  expect(await left()).toHaveLength(1);
  network.setPortal(undefined);
  await arrived();
});

test('a forger of marked answers over http gets no recording removed', async (context) => {
  const { network, start, record, left, arrived, tried } = await makeDevice(context);
  await record('20260103_100000');
  // It lets everything pass but uploads and proofs, which it answers itself.
  network.setPortal((incoming, response) => {
    if (!(incoming.url ?? '').startsWith('/v1/upload')) return network.pass(incoming, response);
    const mark = { 'earshot-server': '9.9.9', 'tus-resumable': '1.0.0', 'x-request-id': 'forged' };
    const text: Buffer[] = [];
    incoming
      .on('data', (piece: Buffer) => text.push(piece))
      .on('end', () => {
        if (incoming.url !== '/v1/upload/proof')
          return void response.writeHead(201, { ...mark, location: '/v1/upload/1', 'earshot-clip-id': '1' }).end();
        const { nonce, recordings } = JSON.parse(Buffer.concat(text).toString()) as {
          nonce: string;
          recordings: object[];
        };
        const proofs = recordings.map((each) => ({ ...each, isStored: true, proof: 'ab'.repeat(32) }));
        response.writeHead(200, { ...mark, 'content-type': 'application/json' }).end(JSON.stringify({ nonce, proofs }));
      });
  });
  start();
  await vi.waitFor(() => expect(network.seen.requests).toContain('POST /v1/upload/proof'), within);
  // By then it has judged the proof.
  await tried(1);
  expect(await left()).toHaveLength(1);
  network.setPortal(undefined);
  await arrived();
});

test('a liar who answers everything with the mark and 200 gets one recording at most', async (context) => {
  const { network, start, record, left, arrived, tried } = await makeDevice(context);
  start();
  await record('20260107_100000');
  await arrived();
  const uploads: string[] = [];
  network.setPortal((incoming, response) => {
    if ((incoming.url ?? '').match(/^\/v1\/upload(\/\d+)?$/)) uploads.push(`${incoming.method} ${incoming.url}`);
    const mark = { 'earshot-server': '9.9.9', 'tus-resumable': '1.0.0', 'content-type': 'application/json' };
    incoming.resume().on('end', () => {
      const isAnnouncement = (incoming.url ?? '').startsWith('/v1/audioclip/');
      response.writeHead(200, mark).end(isAnnouncement ? '[{"key":1},{"key":2},{"key":3}]' : '[]');
    });
  });
  for (const second of [1, 2, 3]) await record(`20260107_10000${second}`);
  await tried(4);
  expect(await left()).toHaveLength(3);
  // The platform was trusted before: one recording finds out.
  expect(uploads.length).toBeLessThanOrEqual(1);
  expect(network.seen.vainBytes).toBeLessThan(60_000);
  network.setPortal(undefined);
  await arrived();
});

test('a filter that refuses one upload is shown with its status, and the platform still answers', async (context) => {
  const { network, start, record, arrived, lines, left } = await makeDevice(context);
  await record('20260104_100000');
  network.setPortal((incoming, response) => {
    if (incoming.method === 'POST' && incoming.url === '/v1/upload')
      return void response.writeHead(413, { 'content-type': 'text/html', connection: 'close' }).end();
    network.pass(incoming, response);
  });
  start();
  await vi.waitFor(() => expect(lines.join('\n')).toContain('status 413'), within);
  expect(await left()).toHaveLength(1);
  network.setPortal(undefined);
  await arrived();
});

test('a platform of the version before gets uploads; once marked, it is not believed without', async (context) => {
  const { network, start, stop, record, arrived, left, folder, tried } = await makeDevice(context);
  network.setOlder(true);
  start();
  await record('20260105_100000');
  await arrived();
  expect(network.seen.proofs).toBeGreaterThan(0);
  network.setOlder(false);
  await record('20260105_100001');
  await arrived();
  await stop();
  const facts = (await readFile(join(folder, 'agent', 'journal'), 'utf8')).split('\n');
  for (const kind of ['marked', 'proving']) expect(facts).toContain(`{"${kind}":"${network.url}"}`);
  network.setOlder(true);
  start();
  await record('20260105_100002');
  await tried();
  expect(await left()).toHaveLength(1);
  network.setOlder(false);
  await arrived();
});

test('what an older agent called uploaded is proven before its file is removed', async (context) => {
  const { network, client, deviceID, start, stop, record, left, arrived, folder } = await makeDevice(context, {
    upload: 'requested',
  });
  await record('20260106_100000');
  start();
  const listed = () => client.listAudioClips({ body: { deviceID } });
  await vi.waitFor(async () => expect(await listed()).toHaveLength(1), within);
  await stop();
  const [clip] = await listed();
  const journal = join(folder, 'agent', 'journal');
  const path = join(folder, 'recordings', '20260106_100000.wav');
  await writeFile(journal, `${await readFile(journal, 'utf8')}${JSON.stringify({ uploaded: path })}\n`);
  start();
  await client.requestUpload({ body: { deviceID, audioClips: [clip?.key ?? 0] } });
  await vi.waitFor(() => expect(network.seen.proofs).toBeGreaterThan(0), within);
  expect(await left()).toHaveLength(1);
  // The platform did not have it, so that it is uploaded after all.
  await vi.waitFor(
    async () => {
      await client.requestUpload({ body: { deviceID, audioClips: [clip?.key ?? 0] } });
      expect(await left()).toEqual([]);
    },
    { ...within, interval: 2_000 },
  );
  await arrived();
});
