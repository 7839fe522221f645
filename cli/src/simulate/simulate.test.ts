import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSimulatedDevices, removeFleet } from './fleet.ts';
import { verdictOf } from './report.ts';
import type { SimulationOptions } from './simulate.ts';
import { simulate } from './simulate.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ role: 'server' });
});
afterAll(() => server.stop());

const options = (changes: Partial<SimulationOptions> = {}): SimulationOptions => ({
  url: server.url,
  client: server.admin.session,
  credential: undefined,
  devices: 30,
  seconds: 4,
  clipsPerHour: 900,
  clipSeconds: 0.2,
  uploadShare: 0.3,
  eventsPerHour: 300,
  transcribe: false,
  keep: false,
  signal: new AbortController().signal,
  ...changes,
});

test('devices announce, upload and carry out events; everything is there once, and is removed', async () => {
  const phases = new Set<string>();
  const result = await simulate(options(), ({ phase }) => phases.add(phase));
  expect(verdictOf(result)).toEqual([expect.stringMatching(/^No errors\./)]);
  expect(result).toMatchObject({ isGood: true, devices: 30, removedDevices: 30, errors: [] });
  expect(result.startedActions).toBeGreaterThan(30);
  expect(result.check.announcedClips).toBeGreaterThan(20);
  expect(result.check.sentEvents).toBeGreaterThan(5);
  expect(result.check.uploadedClips).toBeGreaterThan(3);
  expect(result.requests['upload (tus)']?.count).toBeGreaterThan(0);
  expect(result.requests['upload (file)']?.count).toBeGreaterThan(0);
  expect(result.server?.nodeMegabytes.first).toBeGreaterThan(10);
  expect([...phases]).toEqual([
    'adding devices',
    'connecting',
    'running',
    'finishing',
    'comparing',
    'removing devices',
  ]);
  expect(await findSimulatedDevices(server.admin.session)).toEqual([]);
});

test('faults of the server are found: a clip that is gone, another one, other sound, a lost event', async () => {
  const { session } = server.admin;
  // A server that loses and invents: what the simulation compares with is changed on the way.
  const client: typeof session = {
    ...session,
    async listAudioClipPage(input, call) {
      const page = await session.listAudioClipPage(input, call);
      const [first, ...rest] = page.results;
      return { ...page, results: first ? [...rest, { ...first, key: 1_000_000_007 }] : [] };
    },
    getAudioClipContent: async () => new Response('other bytes'),
    async listEventHistory(input, call) {
      const history = await session.listEventHistory(input, call);
      return [...history, ...history.slice(-1)];
    },
  };
  const { check, isGood } = await simulate(options({ client, devices: 10, seconds: 3 }), () => {});
  expect(isGood).toBe(false);
  expect(check.faults).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^clip \d+ was announced but is not listed$/),
      expect.stringMatching(/^clip 1000000007 .* no device announced it$/),
      expect.stringMatching(/^the sound of clip \d+ is not what was uploaded$/),
      expect.stringMatching(/^the history of event \d+ has 2 ends$/),
    ]),
  );
});

test('with an API key all devices use it; an aborted simulation removes what it made; kept devices can be removed', async () => {
  const { client, credential } = await server.admin.withKey({ signed: true });
  const stop = new AbortController();
  const running = simulate(
    options({ client, credential, devices: 5, seconds: 3_600, signal: stop.signal }),
    ({ phase }) => phase === 'running' && stop.abort(),
  );
  await expect(running).rejects.toThrow('aborted');
  expect(await findSimulatedDevices(client)).toEqual([]);
  await simulate(options({ devices: 2, seconds: 1, keep: true }), () => {});
  const kept = await findSimulatedDevices(client);
  expect(kept).toHaveLength(2);
  expect(await removeFleet(client, kept)).toBe(2);
});
