import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@earshot/client/client';
import { connect } from '@earshot/server/platform/database/connect';
import { onTestFinished, vi } from 'vitest';
import { checkResults } from '../../cli/src/simulate/check.ts';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import type { Device } from '../process/journey-devices.ts';
import { patience, record, requestMissing, waitForAgreement, withMark } from '../process/journey-devices.ts';
import { startWriting } from '../process/writing-fleet.ts';
import { compareJoins, compareLedgers, findUnanswered, listOpenEvents } from './checks.ts';
import { runFaults, sharedFaults, singleFaults } from './faults.ts';
import { openAccounts } from './ledger.ts';
import { compareLive, followLive, listPlaces } from './live-account.ts';
import { createRandom } from './random.ts';
import { startSimulatedDevices } from './simulated.ts';
import { addAgent, setStage } from './stage.ts';
import { startWriters } from './writers.ts';

export interface ChaosOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface ChaosResult {
  /** What was lost, doubled, missed or answered wrongly; empty if all is well. */
  readonly wrong: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

const simulatedDevices = 12;
const answerMs = 60_000;
/** No request may take longer: the time for a statement, and to connect again. */
const deadlineMs = 40_000;

/** Breaks everything in the order of the seed while all kinds of writes go on, then compares the accounts of both sides. */
export async function runChaos({ minutes, seed, say }: ChaosOptions): Promise<ChaosResult> {
  const stage = await setStage();
  const accounts = openAccounts();
  const timed = timeRequests();
  const options = { ...stage.options, fetch: timed.fetch };
  const client = createClient(options);
  const patient = createClient({ ...stage.options, retries: 20 });
  const agents: Device[] = [await addAgent(stage, 'asked', 'requested'), await addAgent(stage, 'eager', 'atOnce')];
  const live = [await followLive(stage.options), await followLive(stage.options)];
  const simulated = await startSimulatedDevices(stage, simulatedDevices);
  const collection = await client.createCollection({ body: { collectionName: 'chaos' } });
  const silentDevice = await client.createDevice({ body: { deviceSerial: 'silent', autoCaption: false } });
  const firstPlace = await lastPlace(stage.pair.directUrl());

  const writing = new AbortController();
  const fleet = startWriting({
    writers: 2,
    devices: Number.MAX_SAFE_INTEGER,
    client: () => client,
    signal: writing.signal,
    pauseMs: 100,
  });
  const writers = startWriters({
    client,
    accounts,
    devices: simulated.devices,
    fleet,
    collectionID: collection.key ?? 0,
    silentDeviceID: silentDevice.key ?? 0,
    random: createRandom(seed + 1),
    signal: writing.signal,
  });
  const recording = agents.map((agent) => keepRecording(agent, writing.signal, patient));

  const breaking = new AbortController();
  const [ofShared, ofSingle] = [createRandom(seed), createRandom(seed + 2)];
  const startedMs = Date.now();
  const onFault = (name: string) => say(`${((Date.now() - startedMs) / 1_000).toFixed(1)} s: ${name}`);
  const timer = setTimeout(() => breaking.abort(), minutes * 60_000);
  const faults = await Promise.all([
    runFaults(sharedFaults({ stage, random: ofShared }), ofShared, breaking.signal, onFault),
    runFaults(singleFaults({ stage, agents, random: ofSingle }), ofSingle, breaking.signal, onFault),
  ]).finally(() => clearTimeout(timer));

  say('all is whole again');
  writing.abort();
  await Promise.all([fleet.done, writers, ...recording]);
  await simulated.settle();
  for (const [at, agent] of agents.entries()) {
    await waitForAgreement(patient, agent, at === 0 ? 'requested' : 'atOnce');
  }
  const db = connect(stage.pair.directUrl(), { connections: 2, name: 'chaos' });
  onTestFinished(() => db.end({ timeout: 1 }));
  const open = await untilNothingIsOpen(() => listOpenEvents(db));
  await simulated.stop();
  const { faults: simulationFaults, ...simulation } = await checkResults({
    client: patient,
    devices: simulated.devices,
    sentEvents: new Map([...accounts.ledgers.event.acknowledged.values()].map((eventID) => [eventID, 0])),
    unansweredEvents: await findUnanswered(db, accounts),
    sinceMs: startedMs - 3_600_000,
    onProgress: () => {},
  });

  const places = await listPlaces(db);
  const end = places.at(-1) ?? '0-0';
  for (const each of live) await vi.waitUntil(() => each.reached(end), patience).catch(() => {});
  await Promise.all(live.map((each) => each.stop()));
  return {
    wrong: [
      ...open.map((event) => `left open: ${JSON.stringify(event)}`),
      ...simulationFaults,
      ...(await compareLedgers(db, accounts, collection.key ?? 0, fleet.acknowledged)),
      ...(await compareJoins(db, patient, accounts)),
      ...live.flatMap((each) => compareLive(each, places, firstPlace).map((fault) => `live: ${fault}`)),
      ...accounts.wrongAnswers.map((answer) => `answered ${answer}`),
      ...fleet.wrongAnswers.map((answer) => `answered ${answer}`),
      ...simulated.wrongAnswers(),
      ...[...stage.nodes, ...stage.workers].flatMap((program) => program.faults()),
      ...timed.late.map(({ path, ms }) => `${path} took ${Math.round(ms)} ms`),
    ],
    counts: {
      ...simulation,
      faults: faults[0] + faults[1],
      outages: stage.front.outages(),
      devices: fleet.acknowledged.length,
      changes: places.length,
      ...Object.fromEntries(
        Object.entries(accounts.ledgers).flatMap(([name, { acknowledged, unanswered }]) => [
          [name, acknowledged.size],
          [`${name}, unanswered`, unanswered.size],
        ]),
      ),
      requests: timed.count(),
      'longest request, ms': Math.round(timed.longestMs()),
    },
  };
}

async function lastPlace(url: string): Promise<string> {
  const db = connect(url, { connections: 1, name: 'chaos' });
  try {
    return (await listPlaces(db)).at(-1) ?? '0-0';
  } finally {
    await db.end({ timeout: 1 });
  }
}

const firstRecordingMs = 1_750_000_000_000;

/** A recorder beside the agent, and a person who asks for what is missing. */
async function keepRecording(agent: Device, signal: AbortSignal, client: Parameters<typeof requestMissing>[0]) {
  for (let turn = 0; !signal.aborted; turn += 1) {
    await record(agent, firstRecordingMs + turn * 2_000, withMark(tinyWav(0.5), turn));
    if (agent.serial === 'asked' && turn % 4 === 3) await requestMissing(client, agent).catch(() => {});
    await sleep(1_000, undefined, { signal }).catch(() => {});
  }
}

async function untilNothingIsOpen<Row>(list: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  for (const deadline = Date.now() + patience.timeout; ; await sleep(500)) {
    const rows = await list();
    if (rows.length === 0 || Date.now() > deadline) return rows;
  }
}

const pathOf = (input: Parameters<typeof fetch>[0]): string =>
  new URL(input instanceof Request ? input.url : input).pathname;

/** Measures how long requests wait for the head of their answer. */
function timeRequests() {
  const late: { path: string; ms: number }[] = [];
  let count = 0;
  let longestMs = 0;
  const timed: typeof fetch = async (input, init = {}) => {
    const startedMs = performance.now();
    const limit = AbortSignal.timeout(answerMs);
    try {
      return await fetch(input, { ...init, signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit });
    } finally {
      const ms = performance.now() - startedMs;
      count += 1;
      longestMs = Math.max(longestMs, ms);
      if (ms > deadlineMs) late.push({ path: `${init.method} ${pathOf(input)}`, ms });
    }
  };
  return { fetch: timed, late, count: () => count, longestMs: () => longestMs };
}
