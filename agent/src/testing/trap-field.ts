import { chmod, lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished } from 'vitest';
import { decodeName, showPath } from '../file-name.ts';
import { buildPrograms } from './installed-agent.ts';
import type { createChance } from '../traps/chance.ts';
import type { Ledger } from '../traps/ledger.ts';
import { createLedger, sha256Of } from '../traps/ledger.ts';
import type { TrapAgent } from '../traps/trap-agent.ts';
import { createTrapAgent, giveToAgent } from '../traps/trap-agent.ts';
import type { TrapNetwork } from '../traps/trap-network.ts';
import { startTrapNetwork } from '../traps/trap-network.ts';

/* The platform, the network and the folders of the field of traps, and what the test looks for in them. */

export const showName = (path: Buffer): string => showPath(decodeName(path));

export const sorted = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));

export interface Field {
  readonly kept: string;
  readonly removed: string;
  readonly agent: TrapAgent;
  readonly network: TrapNetwork;
  readonly ledger: Ledger;
  readonly removedTooEarly: string[];
  /** How often the platform has each sound. */
  stored(): Promise<[string, number][]>;
  findUploaded(chance: ReturnType<typeof createChance>): Promise<Ledger['files'][number] | undefined>;
  /** Looks for files that the agent removed although the platform does not have their sound. */
  checkRemoved(): Promise<void>;
  /** Downloads every clip and compares its bytes. */
  checkBytes(): Promise<void>;
  /** The files of the folder from which nothing is removed that are not there as they were written. */
  findChanged(): Promise<string[]>;
}

export async function openField(): Promise<Field> {
  const server = await startTestServer();
  const folder = await mkdtemp(join(tmpdir(), 'earshot-traps-'));
  await chmod(folder, 0o755);
  const kept = join(folder, 'kept');
  const removed = join(folder, 'removed');
  for (const path of [kept, removed, join(folder, 'agent')]) {
    await mkdir(path);
    await giveToAgent(path);
  }
  const { key: deviceID = 0 } = await server.admin.session.createDevice({
    body: { deviceSerial: 'trapped', autoCaption: false },
  });
  const { credential } = await server.admin.withKey({ deviceID });
  const network = await startTrapNetwork(server.url, [credential.secretKey]);
  const configPath = join(folder, 'agent.json');
  const settings = { settleSeconds: 1, unfinishedMinutes: 0.2 };
  const config = {
    server: network.url,
    deviceSerial: 'trapped',
    accessKey: credential.accessKey,
    secretKey: credential.secretKey,
    folder: join(folder, 'agent'),
    upload: 'atOnce',
    sources: [
      { kind: 'folder', path: kept, ...settings },
      { kind: 'folder', path: removed, removeUploaded: true, ...settings },
    ],
  };
  await writeFile(configPath, JSON.stringify(config), { mode: 0o600 });
  await giveToAgent(configPath);
  const { agent: program } = buildPrograms(join(folder, 'built'));
  const agent = await createTrapAgent(folder, program, configPath);
  const ledger = createLedger();
  onTestFinished(async () => {
    await agent.stop();
    network.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return { kept, removed, agent, network, ledger, ...watchPlatform(server, deviceID, kept, removed, ledger) };
}

function watchPlatform(server: TestServer, deviceID: number, kept: string, removed: string, ledger: Ledger) {
  const { db } = server;
  const removedTooEarly: string[] = [];
  const stored = async () => {
    const rows = await db<{ hash: string; count: number }[]>`
      select f.sha256_hash as hash, count(*)::int as count
      from audio_clips c join files f on f.key = c.file_id where c.device_id = ${deviceID} and c.audio_clip_status = 3
      group by 1`;
    return sorted(new Map(rows.map(({ hash, count }) => [hash, count])));
  };
  const exists = (path: Buffer) =>
    lstat(path).then(
      () => true,
      () => false,
    );
  /** The newest content of each path. */
  const newest = () => [...new Map(ledger.files.map((file) => [file.path.toString('latin1'), file])).values()];
  return {
    removedTooEarly,
    stored,
    async findUploaded(chance: ReturnType<typeof createChance>) {
      const has = new Set((await stored()).map(([hash]) => hash));
      const ready = newest().filter(({ path, sha256 }) => path.includes(kept) && has.has(sha256));
      return ready.length === 0 ? undefined : chance.pick(ready);
    },
    async checkRemoved() {
      const gone: Ledger['files'] = [];
      for (const file of ledger.files) if (file.path.includes(removed) && !(await exists(file.path))) gone.push(file);
      // Looked up after the files: what the platform has by now, it may have had before the removal.
      const has = new Set((await stored()).map(([hash]) => hash));
      for (const { path, sha256 } of gone) if (!has.has(sha256)) removedTooEarly.push(showName(path));
    },
    async checkBytes() {
      const clips = await db<{ key: number; hash: string }[]>`
        select c.key, f.sha256_hash as hash from audio_clips c join files f on f.key = c.file_id
        where c.device_id = ${deviceID}`;
      const { client } = await server.admin.withKey();
      for (const { key, hash } of clips) {
        const response = await client.getAudioClipContent({ params: { audioClipID: key } });
        expect(sha256Of(new Uint8Array(await response.arrayBuffer()))).toBe(hash);
      }
    },
    async findChanged() {
      const changed: string[] = [];
      for (const { path, sha256 } of newest()) {
        if (!path.includes(kept)) continue;
        const content = await readFile(path).catch(() => undefined);
        if (content === undefined || sha256Of(content) !== sha256) changed.push(showName(path));
      }
      for (const path of ledger.named) if (!(await exists(path))) changed.push(showName(path));
      return changed;
    },
  };
}

/** Until the platform has everything, or nothing more has come for five minutes. */
export async function expectArrival(field: Field): Promise<void> {
  const wanted = JSON.stringify(sorted(field.ledger.expected));
  let last = '';
  for (let sinceMs = Date.now(); Date.now() - sinceMs < 300_000; await sleep(1_000)) {
    const now = JSON.stringify(await field.stored());
    if (now === wanted) break;
    if (now !== last) sinceMs = Date.now();
    last = now;
  }
  // What should not come would come now.
  await sleep(20_000);
}
