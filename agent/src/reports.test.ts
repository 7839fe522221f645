import { ApiError } from '@earshot/client/api-error';
import { expect, test, vi } from 'vitest';
import type { AgentConfig } from './config.ts';
import { NotThePlatform } from './connection/network-fault.ts';
import type { Entry } from './recording.ts';
import type { Journal } from './journal.ts';
import { createLog } from './log.ts';
import { sendReports } from './reports.ts';

const blocked = () => Object.assign(new NotThePlatform(403, 'platform.test'), { platformAnswers: true });

/** A filter that lets nothing pass that contains a word. */
function makeReports(isRefused: (text: string) => unknown) {
  const sent: string[] = [];
  const tried: string[] = [];
  const pass = (text: string) => {
    tried.push(text);
    const fault = isRefused(text);
    if (fault) throw fault;
    sent.push(text);
  };
  const entries = new Map([
    ['/essex.wav', { id: '/essex.wav', path: '/essex.wav', isUploaded: false } as unknown as Entry],
  ]);
  const log = createLog(() => {});
  const onReachable = vi.fn<() => void>();
  const stop = new AbortController();
  const [health, logLoop] = sendReports(
    {
      config: { deviceSerial: 'owl', folder: '/', allowNetworks: [] } as unknown as AgentConfig,
      client: {
        createLogMessage: (async ({ body }: { body: { message: string } }) => pass(body.message)) as never,
        createDeviceHealth: (async ({ body }: { body: { healthJSON: string } }) => pass(body.healthJSON)) as never,
      },
      journal: { entries } as unknown as Journal,
      delayed: () => new Map([['/essex.wav', 'status 403']]),
      log,
      onReachable,
    },
    stop.signal,
  );
  // A step waits at its end, until it is stopped.
  stop.abort();
  return { log, sent, tried, onReachable, sendHealth: () => health!.step(), sendLog: () => logLoop!.step() };
}

const isOf = (word: string) => (text: string) => (text.includes(word) ? blocked() : undefined);

test('a line of the log that a filter refuses waits, and the others are sent', async () => {
  const { log, sent, tried, sendLog } = makeReports(isOf('essex'));
  for (const text of ['one', 'announcing /essex.wav', 'two', 'three']) log.write('info', text);
  await sendLog();
  expect(sent).toEqual(['INFO one', 'INFO two', 'INFO three']);
  expect(log.waiting.map(({ message }) => message)).toEqual(['announcing /essex.wav']);
  tried.length = 0;
  log.write('info', 'four');
  await sendLog();
  expect(tried).toEqual(['INFO four']);
});

test('if no line passes, a few are tried, and new ones come before them', async () => {
  let isBlocking = true;
  const { log, sent, tried, sendLog } = makeReports(() => (isBlocking ? blocked() : undefined));
  for (let at = 0; at < 20; at++) log.write('info', `${at}`);
  await expect(sendLog()).rejects.toThrow('status 403');
  expect(tried).toEqual(['INFO 0', 'INFO 1', 'INFO 2']);
  isBlocking = false;
  await sendLog();
  expect(sent).toHaveLength(17);
  expect(log.waiting.map(({ message }) => message)).toEqual(['0', '1', '2']);
});

test('a line that the platform refuses is counted and left out; without a network all wait', async () => {
  const text = JSON.stringify({ status: 400, title: 'Invalid' });
  const refusal = ApiError.from(
    new Response(text, { status: 400, headers: { 'content-type': 'application/problem+json' } }),
    text,
  );
  const { log, sent, sendLog } = makeReports((line) => (line.includes('odd') ? refusal : undefined));
  for (const line of ['odd', 'even']) log.write('info', line);
  await sendLog();
  await sendLog();
  expect(sent).toEqual(['INFO even', 'WARNING 1 lines of this log were not sent.']);
  const offline = makeReports(() => new TypeError('fetch failed'));
  for (const line of ['one', 'two']) offline.log.write('info', line);
  await expect(offline.sendLog()).rejects.toThrow('fetch failed');
  expect([offline.tried.length, offline.log.waiting.length]).toEqual([1, 2]);
});

test('a health report that a filter refuses is sent without the names of files', async () => {
  const { sent, sendHealth, onReachable } = makeReports(isOf('essex'));
  await sendHealth();
  expect(sent).toHaveLength(1);
  expect(JSON.parse(sent[0]!)).toMatchObject({ recordings: { known: 1, delayed: 1 } });
  expect(onReachable).toHaveBeenCalledTimes(1);
  const free = makeReports(() => undefined);
  await free.sendHealth();
  expect(JSON.parse(free.sent[0]!)).toMatchObject({
    recordings: { delayedFiles: [{ path: '/essex.wav', reason: 'status 403' }] },
  });
  const portal = makeReports(() => new NotThePlatform(200, 'platform.test'));
  await expect(portal.sendHealth()).rejects.toThrow('status 200');
  expect(portal.tried).toHaveLength(1);
});
