import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Field } from '../testing/trap-field.ts';
import { expectArrival, openField, showName, sorted } from '../testing/trap-field.ts';
import { createChance, createDeck } from './chance.ts';
import { giveToAgent } from './trap-agent.ts';
import type { FileName } from './trap-files.ts';
import { fileKinds } from './trap-files.ts';
import type { NetworkName, TrapNetwork } from './trap-network.ts';
import { liars, narrow, networkKinds } from './trap-network.ts';

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
/** The longest that one recording takes through a narrow network. */
const narrowMs = 240_000;

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
  const heldUp: NetworkName[] = [];
  let number = 0;
  let most = 0;
  let networkSinceMs = Date.now();

  const giveRecording = async () => {
    number += 1;
    const folder = Buffer.from(field.removed);
    await fileKinds['a recording']({ folder, number, chance, ledger, uploaded: undefined, give: giveToAgent });
    return ledger.files.at(-1)!.path;
  };

  /**
   * A device that was started among liars sends them no sound, so the platform first proves a recording, which is removed then. A
   * start of the agent ends every back-off that would delay that. Then the liar stays until it has told all of its lies.
   */
  const meetLiar = async (kind: NetworkName, lies: readonly (keyof TrapNetwork['lies'])[]) => {
    network.set('open');
    const first = await giveRecording();
    await agent.kill('SIGTERM');
    await agent.start();
    for (const endMs = Date.now() + narrowMs; existsSync(first) && Date.now() < endMs;) await sleep(200);
    const told = { ...network.lies };
    network.set(kind);
    await giveRecording();
    const owesLie = () => lies.some((lie) => network.lies[lie] === told[lie]);
    for (const endMs = Date.now() + liarMs; owesLie() && Date.now() < endMs;) await sleep(200);
  };

  /** A large recording arrives through a narrow network, also beside one whose announcement a filter refuses. */
  const meetNarrow = async (kind: NetworkName) => {
    for (const file of ['a name that a filter refuses', 'a large recording'] as const) {
      number += 1;
      const folder = Buffer.from(field.removed);
      await fileKinds[file]({ folder, number, chance, ledger, uploaded: undefined, give: giveToAgent });
    }
    const sha256 = ledger.files.at(-1)?.sha256;
    await agent.kill('SIGTERM');
    await agent.start();
    for (const endMs = Date.now() + narrowMs; Date.now() < endMs; await sleep(500))
      if ((await field.stored()).some(([hash]) => hash === sha256)) return;
    heldUp.push(kind);
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
      const lies = liars[kind];
      if (lies !== undefined) await meetLiar(kind, lies);
      if (narrow.has(kind)) await meetNarrow(kind);
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
  expect(heldUp).toEqual([]);
  expect(await field.findChanged()).toEqual([]);
  expect(network.stolen).toEqual({ requests: 0, bytes: 0, secrets: 0 });
  expect(network.vainBytes).toBeLessThan(most);
  const timesOf = (kind: string) => happened.get(`network: ${kind}`) ?? 0;
  for (const [kind, lies] of Object.entries(liars))
    for (const lie of lies) expect(network.lies[lie]).toBeGreaterThanOrEqual(timesOf(kind));
  expect(network.lies.filtered).toBeGreaterThanOrEqual(timesOf('a filter against one announcement'));
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
