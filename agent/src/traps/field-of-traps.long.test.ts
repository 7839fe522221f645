import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { decodeName, showPath } from '../file-name.ts';
import { buildPrograms } from '../testing/installed-agent.ts';
import { createChance, createDeck } from './chance.ts';
import type { Ledger } from './ledger.ts';
import { createLedger, sha256Of } from './ledger.ts';
import type { TrapAgent } from './trap-agent.ts';
import { createTrapAgent, giveToAgent } from './trap-agent.ts';
import type { FileName } from './trap-files.ts';
import { fileKinds } from './trap-files.ts';
import type { NetworkName, TrapNetwork } from './trap-network.ts';
import { liars, networkKinds, startTrapNetwork } from './trap-network.ts';

/*
 * The agent in a field of traps: odd files, portals and liars, wrong clocks, full disks and kills, in an order that a seed
 * chooses. Every recording that is sound arrives once, byte for byte; every other file is named; no file is removed before
 * the platform has its sound. TRAPS_SEED repeats a run, TRAPS_MINUTES makes it shorter or longer.
 */

const seed = Number(process.env['TRAPS_SEED'] ?? Math.floor(Math.random() * 1e9));
const minutes = Number(process.env['TRAPS_MINUTES'] ?? 20);
const dayMs = 86_400_000;
/** The longest that a liar waits for an upload. */
const liarMs = 120_000;

const showName = (path: Buffer): string => showPath(decodeName(path));

const kills = ['killed', 'stopped', 'halted', 'power loss'] as const;

const clocks = {
  'the right clock': 0,
  'a clock a day behind': -dayMs,
  'a clock a year ahead': 365 * dayMs,
  'a clock of 1970': -1 * (Date.now() - dayMs),
  'a clock an hour behind': -3_600_000,
};

test(`field of traps, seed ${seed}`, { timeout: (minutes + 30) * 60_000 }, async () => {
  process.stdout.write(`TRAPS_SEED=${seed} TRAPS_MINUTES=${minutes}\n`);
  const field = await openField();
  const { agent, network, ledger } = field;
  const happened = new Map<string, number>();
  const count = (kind: string) => happened.set(kind, (happened.get(kind) ?? 0) + 1);
  const chance = createChance(seed);
  const fileNames = Object.keys(fileKinds) as FileName[];
  const networkNames = Object.keys(networkKinds) as NetworkName[];
  const deal = {
    file: createDeck(chance, fileNames),
    network: createDeck(
      chance,
      networkNames.filter((name) => name !== 'open'),
    ),
    clock: createDeck(chance, Object.entries(clocks)),
    kill: createDeck(chance, kills),
  };
  let number = 0;
  let most = 0;
  let networkSinceMs = Date.now();

  /** A liar stays until it has lied about a recording. A start of the agent ends every back-off that would prevent it. */
  const meetLiar = async (lie: keyof TrapNetwork['lies']) => {
    const told = network.lies[lie];
    number += 1;
    const folder = Buffer.from(field.removed);
    await fileKinds['a recording']({ folder, number, chance, ledger, uploaded: undefined, give: giveToAgent });
    await agent.kill('SIGTERM');
    await agent.start();
    for (const endMs = Date.now() + liarMs; network.lies[lie] === told && Date.now() < endMs;) await sleep(200);
  };

  const steps = {
    async file() {
      const kind = deal.file();
      count(`file: ${kind}`);
      number += 1;
      const isKept = chance.next() < 0.5;
      const folder = Buffer.from(isKept ? field.kept : field.removed);
      const uploaded = isKept ? await field.findUploaded(chance) : undefined;
      await fileKinds[kind]({ folder, number, chance, ledger, uploaded, give: giveToAgent });
    },
    async network() {
      most += ((Date.now() - networkSinceMs) / 1_000 + 2) * ledger.largestBytes;
      networkSinceMs = Date.now();
      // Half of the time the network is good, or nothing would arrive before the end.
      const kind = network.kind === 'open' ? deal.network() : 'open';
      count(`network: ${kind}`);
      network.set(kind);
      const lie = liars[kind];
      if (lie !== undefined) await meetLiar(lie);
    },
    async clock() {
      const [kind, shiftMs] = deal.clock();
      count(kind);
      await agent.setClock(shiftMs);
    },
    async kill() {
      const kind = deal.kill();
      count(kind);
      if (kind === 'halted') return agent.halt(chance.between(1_000, 8_000));
      await agent.kill(kind === 'stopped' ? 'SIGTERM' : 'SIGKILL');
      if (kind === 'power loss') await agent.tearJournal(chance.between(1, 30));
      await agent.start();
    },
    async disk() {
      if (!agent.disk) return;
      count('a full disk');
      await agent.disk.fill();
      await sleep(chance.between(1_000, 8_000));
      await agent.disk.empty();
    },
  };
  const weighted = [
    ...Array.from({ length: 12 }, () => 'file' as const),
    ...Array.from({ length: 8 }, () => 'network' as const),
    'clock',
    'kill',
    'disk',
  ] as const;

  await agent.start();
  for (const endMs = Date.now() + minutes * 60_000; Date.now() < endMs;) {
    await steps[chance.pick(weighted)]();
    await field.checkRemoved();
    await sleep(chance.between(100, 2_500));
  }
  network.set('open');
  await agent.setClock(0);
  await agent.disk?.empty();
  await expectArrival(field);
  report(field, happened, most);

  expect(await field.stored()).toEqual(sorted(ledger.expected));
  await field.checkBytes();
  const log = await agent.log();
  expect(ledger.named.map((path) => showName(path)).filter((name) => !log.includes(name))).toEqual([]);
  expect(field.removedTooEarly).toEqual([]);
  expect(network.stolen).toEqual({ requests: 0, bytes: 0, secrets: 0 });
  expect(network.vainBytes).toBeLessThan(most);
  const timesOf = (kind: string) => happened.get(`network: ${kind}`) ?? 0;
  for (const [kind, lie] of Object.entries(liars)) expect(network.lies[lie]).toBeGreaterThanOrEqual(timesOf(kind));
  expect(network.lies.uploads).toBeGreaterThanOrEqual(timesOf('forge'));
  if (minutes >= 20) {
    const kinds = [
      ...fileNames.map((kind) => `file: ${kind}`),
      ...networkNames.map((kind) => `network: ${kind}`),
      ...Object.keys(clocks),
      ...kills,
    ];
    expect(kinds.filter((kind) => !happened.has(kind))).toEqual([]);
  }
});

const sorted = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));

interface Field {
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
}

async function openField(): Promise<Field> {
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
    stat(path).then(
      () => true,
      () => false,
    );
  return {
    removedTooEarly,
    stored,
    async findUploaded(chance: ReturnType<typeof createChance>) {
      const has = new Set((await stored()).map(([hash]) => hash));
      const newest = new Map(ledger.files.map((file) => [file.path.toString('latin1'), file]));
      const ready = [...newest.values()].filter(({ path, sha256 }) => path.includes(kept) && has.has(sha256));
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
  };
}

/** Until the platform has everything, or nothing more has come for five minutes. */
async function expectArrival(field: Field): Promise<void> {
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

function report({ ledger, network }: Field, happened: ReadonlyMap<string, number>, most: number): void {
  const sounds = [...ledger.expected.values()].reduce((sum, each) => sum + each, 0);
  const lines = [
    `${sounds} recordings expected, ${ledger.named.length} files to be named, ${happened.size} kinds of traps`,
    `${(network.vainBytes / 1e6).toFixed(1)} MB sent in vain, at most ${(most / 1e6).toFixed(1)} MB`,
    `forged: ${network.lies.uploads} uploads, ${network.lies.proofs} proofs, ${network.lies.refusals} refusals`,
    ...[...happened].map(([kind, times]) => `${String(times).padStart(5)}  ${kind}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
