import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import { createServer, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createDoor } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { clipIdHeader } from '@earshot/contract/upload';
import { platformHeader } from '@earshot/contract/platform-mark';
import { needs } from '@earshot/server/testing/needs';
import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { buildPrograms } from '../testing/installed-agent.ts';
import { wavHeader } from '../wav.ts';

/*
 * The agent over https: TLS proves who answers, so a program in between gets no request, and what a proxy answers in place
 * of the platform is not believed. The agent is a process, because the certificates that it trusts are set at its start.
 */

/** A certificate for 127.0.0.1 that is valid for some days, and its key. */
async function makeCertificate(folder: string, name: string, days: string, address = '127.0.0.1') {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}-key.pem`)];
  const about = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=IP:${address}`, '-days', days];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...about, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  return { path: cert, cert: await readFile(cert), key: await readFile(key) };
}

const mark = { [platformHeader]: '9.9.9' };
/** As if it had everything. */
const success = { [clipIdHeader]: '1', location: '/v1/upload/1', 'upload-offset': '1', 'tus-resumable': '1.0.0' };

/** What stands at the address of the platform. Each handles a connection in its own way. */
async function standBetween(platformUrl: string, folder: string) {
  const right = await makeCertificate(folder, 'right', '2');
  const other = await makeCertificate(folder, 'other', '2');
  const elsewhere = await makeCertificate(folder, 'elsewhere', '2', '192.0.2.1');
  const stolen: string[] = [];
  const servers: Server[] = [];
  const add = <Kept extends Server>(server: Kept): Kept => {
    servers.push(server.on('clientError', (_error, socket) => socket.destroy()));
    return server;
  };
  const steal: RequestListener = (incoming, response) => {
    stolen.push(`${incoming.method} ${incoming.url}`);
    incoming.resume().on('end', () => response.writeHead(201, { ...mark, ...success }).end());
  };
  const thief = add(createServer(steal));
  await once(thief.listen(0, '127.0.0.1'), 'listening');
  const location = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/`;
  const answer =
    (status: number, headers: Record<string, string>): RequestListener =>
    (incoming, response) =>
      void incoming.resume().on('end', () => response.writeHead(status, headers).end());
  const pass: RequestListener = (incoming, response) => {
    const { method, headers } = incoming;
    const outgoing = request(new URL(incoming.url ?? '/', platformUrl), { method, headers }, (from) => {
      response.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };
  const through = (server: Server) => (socket: Socket) => void server.emit('connection', socket);
  const withTls = (certificate: typeof right, listener: RequestListener) =>
    through(add(createSecureServer(certificate, listener)));
  const ways = {
    open: withTls(right, pass),
    'a certificate of somebody else': withTls(other, steal),
    'a certificate for another address': withTls(elsewhere, steal),
    'http where https was': through(add(createServer(steal))),
    'a handshake that never ends': () => {},
    'a handshake that is cut': (socket: Socket) => void socket.once('data', () => socket.destroy()),
    'a proxy that answers for the platform': withTls(right, answer(201, success)),
    'a redirect to http': withTls(right, answer(307, { location })),
    'a marked redirect to http': withTls(right, answer(308, { ...mark, location })),
  };
  let way: keyof typeof ways = 'open';
  let connections = 0;
  const sockets = new Set<Socket>();
  const door = createDoor((socket) => {
    connections += 1;
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    ways[way](socket);
  });
  await once(door.listen(0, '127.0.0.1'), 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `https://127.0.0.1:${(door.address() as AddressInfo).port}`,
    trusted: [right.path, elsewhere.path],
    traps: (Object.keys(ways) as (keyof typeof ways)[]).filter((name) => name !== 'open'),
    stolen,
    connections: () => connections,
    set(next: keyof typeof ways): void {
      way = next;
      cut();
    },
    stop(): void {
      cut();
      door.close();
      thief.close();
    },
  };
}

test('over https nobody between gets a request, and nothing is lost', needs('openssl'), async () => {
  const server = await startTestServer();
  const folder = await mkdtemp(join(tmpdir(), 'earshot-https-'));
  const recordings = join(folder, 'recordings');
  await mkdir(recordings);
  const between = await standBetween(server.url, folder);
  const { key: deviceID = 0 } = await server.admin.session.createDevice({
    body: { deviceSerial: 'secure', autoCaption: false },
  });
  const { client } = await server.admin.withKey();
  const { credential } = await server.admin.withKey({ deviceID });
  const { accessKey, secretKey } = credential;
  const source = { kind: 'folder', path: recordings, settleSeconds: 0, removeUploaded: true };
  const config = { server: between.url, deviceSerial: 'secure', accessKey, secretKey, folder: join(folder, 'agent') };
  const configPath = join(folder, 'agent.json');
  await writeFile(configPath, JSON.stringify({ ...config, upload: 'atOnce', sources: [source] }), { mode: 0o600 });
  const trusted = join(folder, 'trusted.pem');
  await writeFile(trusted, (await Promise.all(between.trusted.map((path) => readFile(path, 'utf8')))).join('\n'));
  const { agent } = buildPrograms(join(folder, 'built'));
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: trusted };
  const child = spawn(process.execPath, [agent, configPath], { stdio: 'ignore', env });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    between.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const expected: string[] = [];
  const record = async () => {
    const path = join(recordings, `20260101_1000${String(expected.length).padStart(2, '0')}.wav`);
    const sound = Buffer.alloc(32_000, expected.length + 1);
    expected.push(path);
    await writeFile(path, Buffer.concat([wavHeader(sound.length), sound]));
    return path;
  };
  const arrived = async () => {
    const clips = await client.listAudioClips({ body: { deviceID, count: 100 } });
    const stored = clips.filter((clip) => clip.audioClipStatus === audioClipStatus.available);
    return stored.map(({ localFilePath = '' }) => localFilePath).toSorted();
  };
  const isThere = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );
  const expectArrival = async (path: string) => {
    await expect.poll(arrived, { timeout: 120_000 }).toEqual(expected);
    await expect.poll(() => isThere(path)).toBe(false);
  };
  await expectArrival(await record());
  for (const trap of between.traps) {
    const before = between.connections();
    between.set(trap);
    const path = await record();
    await expect.poll(between.connections, { timeout: 120_000 }).toBeGreaterThan(before + 2);
    expect(await isThere(path)).toBe(true);
    expect(between.stolen).toEqual([]);
    between.set('open');
    await expectArrival(path);
  }
});
