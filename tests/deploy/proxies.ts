import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { findFreePort } from '@earshot/server/testing/free-port';
import { vi } from 'vitest';
import { repository } from '../process/server-process.ts';

const run = promisify(execFile);
const name = 'earshot.example.org';

export interface Proxy {
  /** A request to the proxy, as a browser sends it; `from` is the address of the client. */
  open(line: string, headers?: Readonly<Record<string, string>>, from?: string): ClientRequest;
  stop(): Promise<void>;
}

interface Place {
  readonly folder: string;
  /** Of Earshot. */
  readonly port: number;
}

async function makeCertificate(folder: string): Promise<{ certificate: string; key: string }> {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const about = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '2'];
  const files = ['-keyout', key, '-out', certificate];
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...about, ...files]);
  return { certificate, key };
}

/** The configuration of deploy/nginx, with other ports and paths. */
export async function startNginx({ folder, port }: Place): Promise<Proxy> {
  const { certificate, key } = await makeCertificate(folder);
  const [plain, secure] = [await findFreePort(), await findFreePort()];
  const site = (await readFile(join(repository, 'deploy/nginx/earshot.conf'), 'utf8'))
    .replace('server 127.0.0.1:8080;', `server 127.0.0.1:${port};`)
    .replaceAll(/^.*listen \[::\].*\n/gm, (line) => (existsSync('/proc/net/if_inet6') ? line : ''))
    .replaceAll(/(listen (?:\[::\]:)?)80;/g, `$1${plain};`)
    .replaceAll(/(listen (?:\[::\]:)?)443 /g, `$1${secure} `)
    .replace('/etc/earshot/tls/certificate.pem', certificate)
    .replace('/etc/earshot/tls/key.pem', key);
  await writeFile(join(folder, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const main = [
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}`,
    `http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`,
  ];
  await writeFile(join(folder, 'nginx.conf'), main.join('\n'));
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]);
  return watch(child, secure, certificate);
}

/** The configuration of deploy/caddy, with another port and this certificate. */
export async function startCaddy({ folder, port }: Place): Promise<Proxy> {
  const { certificate, key } = await makeCertificate(folder);
  const [plain, secure] = [await findFreePort(), await findFreePort()];
  const site = (await readFile(join(repository, 'deploy/caddy/Caddyfile'), 'utf8'))
    .replace('reverse_proxy 127.0.0.1:8080', `reverse_proxy 127.0.0.1:${port}`)
    .replace(`\n${name} {`, `\n${name}:${secure} {\n\ttls ${certificate} ${key}`);
  const main = `{\n\tadmin off\n\thttp_port ${plain}\n\tauto_https disable_redirects\n}\n\n${site}`;
  await writeFile(join(folder, 'Caddyfile'), main);
  const home = join(folder, 'home');
  await mkdir(home);
  const config = ['--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  const child = spawn('caddy', ['run', ...config], { env: { PATH: process.env['PATH'], HOME: home } });
  return watch(child, secure, certificate);
}

async function watch(child: ChildProcess, port: number, certificate: string): Promise<Proxy> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
  const ca = await readFile(certificate);
  const proxy: Proxy = {
    open(line, headers = {}, from = '127.0.0.1') {
      const [method = '', path = ''] = line.split(' ');
      const place = { host: '127.0.0.1', port, localAddress: from, servername: name, ca, agent: false as const };
      return request({ ...place, method, path, headers: { host: name, ...headers } });
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
  const isOpen = () => answerOf(proxy.open('GET /healthz')).then(({ statusCode }) => statusCode === 200);
  await vi.waitUntil(() => child.exitCode !== null || isOpen().catch(() => false));
  if (child.exitCode !== null) throw new Error(`the proxy ended:\n${output}`);
  return proxy;
}

/** Sends the body, if there is one, and waits for the headers of the response. */
export async function answerOf(sending: ClientRequest, body?: string): Promise<IncomingMessage> {
  sending.end(body);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  return answer;
}

export async function readJson(answer: IncomingMessage): Promise<unknown> {
  return JSON.parse(await text(answer)) as unknown;
}
