import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import type { Event } from '@earshot/contract/event';
import { eventStatus } from '@earshot/contract/event-status';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from './log.ts';
import { connect, mark } from './testing/scripted-platform.ts';
import { createWork } from './work.ts';

const { signal } = new AbortController();
const event: Event = { key: 7, eventTypeID: 1, eventParameters: '{}' };

/** The work of an agent that carries out one event at once. Its reports go where the client sends them. */
function takeEvent(reportEvent: Client['reportEvent']) {
  const client = { longPollEvents: async () => [event], dequeueEvent: async () => event, reportEvent };
  const work = createWork({
    client: client as unknown as Client,
    deviceSerial: 'recorder',
    processID: 1,
    commands: { Device: { Report_diagnostics: async () => 'done' } },
    typeNames: new Map([[1, 'Report_diagnostics']]),
    log: createLog(() => {}),
  });
  return async () => {
    await work.step(signal);
    await work.finish();
  };
}

const refusal = (status: number, headers: Record<string, string> = {}): ApiError =>
  ApiError.from(new Response('', { status, headers }), '');

/** Counts the reports of the end, which fail with these errors, one after the other. */
function failWith(...errors: readonly Error[]) {
  const left = [...errors];
  let ends = 0;
  const report = async ({ body }: { readonly body?: unknown }) => {
    if ((body as Event).eventStatus === eventStatus.processing) return;
    ends += 1;
    const error = left.shift();
    if (error) throw error;
  };
  return { report: report as unknown as Client['reportEvent'], ends: () => ends };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([
  ['3600', 600_000],
  ['120', 120_000],
])('the report of the end waits as long as the platform asks, %s s, at most ten minutes', async (asked, waitMs) => {
  const { report, ends } = failWith(refusal(503, { 'retry-after': asked }));
  const running = takeEvent(report)();
  await vi.advanceTimersByTimeAsync(waitMs - 1);
  expect(ends()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends()).toBe(2);
  await running;
});

test.each([
  [0, 750],
  [1, 1_250],
])('agents that lost the platform together do not report together: with chance %d', async (chance, waitMs) => {
  vi.spyOn(Math, 'random').mockReturnValue(chance);
  const { report, ends } = failWith(new TypeError('fetch failed'));
  const running = takeEvent(report)();
  await vi.advanceTimersByTimeAsync(waitMs - 1);
  expect(ends()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends()).toBe(2);
  await running;
});

test('a report that the platform refuses is not repeated', async () => {
  const { report, ends } = failWith(refusal(409));
  await takeEvent(report)();
  expect(ends()).toBe(1);
});

test.each([mark, {}])('a redirect gets no report, and is no refusal of it (%j)', async (headers) => {
  vi.useRealTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const stolen: string[] = [];
  const thief = createServer(({ url = '' }, response) => void response.end(String(stolen.push(url))));
  await once(thief.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void thief.close());
  const location = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/`;
  const ends: string[] = [];
  const { client } = await connect(({ body }, response) => {
    const { eventStatus: status } = JSON.parse(body.toString() || '{}') as Event;
    if (status !== eventStatus.complete) return void response.writeHead(200, mark).end('{}');
    ends.push(body.toString());
    if (ends.length === 1) return void response.writeHead(307, { ...headers, location }).end();
    response.writeHead(200, mark).end('{}');
  });
  await takeEvent(client.reportEvent)();
  expect(ends).toHaveLength(2);
  expect(stolen).toEqual([]);
});
