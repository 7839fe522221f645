import type { ClientOptions } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import { defineCommand } from '../command.ts';
import { namedFetch } from '../connection.ts';
import { exitCodes, Failure } from '../failure.ts';
import type { Output } from '../output.ts';
import { findSimulatedDevices, isForbidden, removeFleet } from './fleet.ts';
import { factsOf, requestRows, verdictOf } from './report.ts';
import type { SimulationProgress, SimulationResult } from './simulate.ts';
import { simulate } from './simulate.ts';

const retries = 4;
const noteEveryMs = 10_000;
const percent = 100;

export const simulateCommand = defineCommand({
  name: 'simulate',
  summary: 'Load a server with simulated devices and check the results',
  description:
    'Adds devices that register, wait for events, report their health, announce recordings and upload some of them, with ' +
    'signed requests. Actions are started at their times, however slow the server is. At the end everything is compared ' +
    'with what the server has: each announced clip is listed once, each event was taken once and ended once, uploaded ' +
    'sound has the same hash. Then the devices are removed. The exit code is 0 if there was no error.\n\n' +
    'Sign in as a person to give each device a key of its own; with an API key, all devices use that key, and the ' +
    'limit of requests for one key (EARSHOT_RATE_LIMIT) applies to all of them together.\n\n' +
    'With --outage, half of the devices wait as agents of the version before, and half of each kind restart and register ' +
    'again. The result says when each got its first good answer. A 503 that asks to come later is no error then.\n\n' +
    'Do not use it on a server that people need.',
  options: {
    devices: { kind: 'integer', least: 1, most: 20_000, fallback: 50, value: 'N', help: 'how many devices' },
    seconds: {
      kind: 'integer',
      least: 1,
      most: 86_400,
      fallback: 60,
      value: 'SECONDS',
      help: 'how long, from when all are connected',
    },
    clipsPerHour: {
      kind: 'number',
      least: 0,
      most: 3_600,
      fallback: 12,
      value: 'N',
      help: 'recordings of each device in an hour',
    },
    clipSeconds: { kind: 'number', least: 0.1, most: 600, fallback: 5, value: 'SECONDS', help: 'the length of each' },
    uploadPercent: {
      kind: 'number',
      least: 0,
      most: 100,
      fallback: 20,
      value: 'PERCENT',
      help: 'of the recordings are requested and uploaded',
    },
    eventsPerHour: {
      kind: 'number',
      least: 0,
      most: 3_600,
      fallback: 2,
      value: 'N',
      help: 'other events for each device in an hour',
    },
    reportSeconds: {
      kind: 'integer',
      least: 1,
      most: 86_400,
      fallback: 60,
      value: 'SECONDS',
      help: 'between heartbeats, and between health reports, of each device',
    },
    outage: {
      kind: 'integer',
      least: 0,
      most: 3_600,
      fallback: 0,
      value: 'SECONDS',
      help: 'then no device reaches the server for so long, and all come back',
    },
    transcribe: { kind: 'flag', help: 'transcribe the uploaded sound too' },
    keep: { kind: 'flag', help: 'leave the devices and their recordings' },
    clear: { kind: 'flag', help: 'only remove what earlier simulations have left' },
  },
  examples: [
    { line: 'earshot simulate --devices 50 --seconds 10', text: 'a short test' },
    { line: 'earshot simulate --devices 2000 --seconds 300', text: 'load for five minutes' },
    { line: 'earshot simulate --devices 5000 --seconds 30 --outage 600', text: 'a whole fleet comes back' },
    { line: 'earshot simulate --clear', text: 'remove devices that were kept' },
  ],
  async run(context) {
    const { options, json, io, output } = context;
    const { url, clientOptions } = await context.connect();
    const client = withoutInterruption(clientOptions);
    if (options.clear) {
      const removed = await removeFleet(client, await findSimulatedDevices(client));
      return json
        ? output.record({ removedDevices: removed })
        : output.say(`${removed} simulated devices are removed.`);
    }
    const { credential } = clientOptions;
    const show = createShow(output);
    io.signal.addEventListener('abort', () => {
      output.note('Stopping; the devices are removed. If some are left, remove them with “earshot simulate --clear”.');
    });
    const result = await simulate(
      {
        ...options,
        url,
        client,
        credential: credential && 'accessKey' in credential ? credential : undefined,
        outageSeconds: options.outage,
        uploadShare: options.uploadPercent / percent,
        signal: io.signal,
      },
      (progress) => show.progress(progress),
    )
      .catch((error: unknown) => {
        if (!isForbidden(error)) throw error;
        throw new Failure(`You may not add devices or keys: ${(error as Error).message}`, exitCodes.notAllowed);
      })
      .finally(() => show.close());
    if (json) output.record(result);
    else showResult(output, result);
    if (!result.isGood) throw new Failure('The simulation found errors.');
  },
});

/** Ctrl-C ends the simulation, but what it has made is still removed. */
const withoutInterruption = (options: ClientOptions) => createClient({ ...options, retries, fetch: namedFetch });

/** A bar on a terminal; elsewhere a line now and then. */
function createShow(output: Output) {
  const bars = output.progress();
  let shown: string | undefined;
  let notedMs = 0;
  return {
    progress({ phase, done, text }: SimulationProgress): void {
      if (shown !== undefined && shown !== phase) bars.end(shown);
      const isDue = shown !== phase || performance.now() - notedMs > noteEveryMs;
      if (isDue && output.columns === undefined) {
        notedMs = performance.now();
        output.note(`${phase}: ${text}`);
      }
      shown = phase;
      bars.set(phase, done, text);
    },
    close: () => bars.close(),
  };
}

function showResult(output: Output, result: SimulationResult): void {
  const columns = [
    { title: 'REQUEST', value: ({ name }: Row) => name },
    { title: 'COUNT', value: ({ count }: Row) => count, align: 'right' },
    { title: 'ERRORS', value: ({ errors }: Row) => errors, align: 'right' },
    { title: 'MEDIAN MS', value: ({ medianMs }: Row) => medianMs, align: 'right' },
    { title: '99 % MS', value: ({ p99Ms }: Row) => p99Ms, align: 'right' },
    { title: 'MOST MS', value: ({ maxMs }: Row) => maxMs, align: 'right' },
  ] as const;
  output.table<Row>(columns, requestRows(result));
  output.say('');
  const facts = factsOf(result);
  const width = Math.max(...facts.map(([label]) => label.length));
  for (const [label, text] of facts) output.say(`${label.padEnd(width)}  ${text}`);
  output.say('');
  for (const line of verdictOf(result)) output.say(line);
}

type Row = ReturnType<typeof requestRows>[number];
