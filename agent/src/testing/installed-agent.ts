import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { platformHeader } from '@earshot/contract/platform-mark';
import { buildSync } from 'esbuild';
import { hashOfVersion, switchCurrent, versionPath } from '../update/versions.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** The agent and its launcher, built into a folder as `npm run build` does; of another checkout if one is given. */
export function buildPrograms(folder: string, checkout = repository): { agent: string; launcher: string } {
  const sourceFolder = join(checkout, 'agent', 'src');
  buildSync({
    entryPoints: { agent: join(sourceFolder, 'main.ts'), launch: join(sourceFolder, 'launch.ts') },
    inject: [join(checkout, 'client', 'src', 'older-node.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node18',
    format: 'esm',
  });
  return { agent: join(folder, 'agent.mjs'), launcher: join(folder, 'launch.mjs') };
}

/** The platform at another address, which also serves versions of the agent. Requests can be refused for a while. */
export async function servePlatform(platformUrl: string) {
  const versions = new Map<string, Buffer>();
  let isDown = false;
  const http = createServer((incoming, response) => {
    if (isDown) return void incoming.socket.destroy();
    const hash = /^\/install\/agent\/([0-9a-f]{64})\.mjs$/.exec(incoming.url ?? '')?.[1];
    if (hash !== undefined) {
      const content = versions.get(hash);
      return void response.writeHead(content ? 200 : 404, { [platformHeader]: '0.0.0-test' }).end(content);
    }
    const { method, headers } = incoming;
    const outgoing = request(new URL(incoming.url ?? '/', platformUrl), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    /** Serves a version, under another hash if one is given; returns the hash. */
    offer(content: string | Buffer, hash = hashOfVersion(Buffer.from(content))): string {
      versions.set(hash, Buffer.from(content));
      return hash;
    },
    setDown(down: boolean): void {
      isDown = down;
    },
    stop: () => {
      http.closeAllConnections();
      http.close();
    },
  };
}

/** Puts the launcher and one version into a folder, and returns a way to start it. */
export async function installAgent(home: string, launcher: string, agent: string) {
  await mkdir(join(home, 'versions'), { recursive: true });
  await copyFile(launcher, join(home, 'launch.mjs'));
  const content = await readFile(agent);
  const hash = hashOfVersion(content);
  await writeFile(versionPath(home, hash), content);
  await switchCurrent(home, hash);
  return {
    hash,
    start: (configPath: string): ChildProcess => {
      // A group of its own, so that a test can kill the launcher and the agent at one moment.
      return spawn(process.execPath, [join(home, 'launch.mjs'), configPath], { stdio: 'ignore', detached: true });
    },
  };
}

/** As a power loss does: the launcher and the agent end at one moment. */
export async function killAll(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await ended;
}
