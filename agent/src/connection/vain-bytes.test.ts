import { ApiError } from '@earshot/client/api-error';
import { NoUploadAnswer, UploadConflict } from '@earshot/client/upload';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NetworkFault, Unproven } from './network-fault.ts';
import { createVainBytes, inVain } from './vain-bytes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;
const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => value,
    (error: unknown) => error,
  );

/** Somebody who gets recordings; what he answers, and when he got bytes. */
function makeReceiver() {
  const vain = createVainBytes();
  const receiver = { fault: undefined as unknown, keyFault: undefined as unknown, sentMs: [] as number[], asked: 0 };
  let inFlight = 0;
  let mostInFlight = 0;
  const challenge = async () => {
    receiver.asked += 1;
    if (receiver.keyFault) throw receiver.keyFault;
  };
  const send = async () => {
    receiver.sentMs.push(performance.now());
    mostInFlight = Math.max(mostInFlight, (inFlight += 1));
    await Promise.resolve();
    inFlight -= 1;
    if (receiver.fault) throw receiver.fault;
    return 'sent';
  };
  const begin = (signal = never) => outcomeOf(vain.bound(challenge, send, signal));
  return {
    receiver,
    begin,
    send: async (signal = never) => {
      const outcome = begin(signal);
      await vi.runAllTimersAsync();
      return outcome;
    },
    mostInFlight: () => mostInFlight,
  };
}

test('who has no key gets no sound, however often it is tried', async () => {
  const { receiver, send } = makeReceiver();
  receiver.keyFault = new Unproven('not made with the key');
  for (let time = 0; time < 5; time += 1) expect(await send()).toBe(receiver.keyFault);
  expect([receiver.sentMs, receiver.asked]).toEqual([[], 5]);
  receiver.keyFault = undefined;
  expect(await send()).toBe('sent');
  // From now on only the recordings themselves are proven.
  expect(await send()).toBe('sent');
  expect(receiver.asked).toBe(6);
});

test('who relays the key and takes recordings gets one at a time, after delays that grow to ten minutes', async () => {
  const { receiver, send, begin, mostInFlight } = makeReceiver();
  expect(await send()).toBe('sent');
  receiver.fault = inVain(new Error('no proof'));
  expect(await send()).toMatchObject({ name: 'Unproven', platformAnswers: true });
  receiver.sentMs = [performance.now()];
  // As many want to be sent as there may be recordings.
  const sending = Array.from({ length: 16 }, () => begin());
  await vi.runAllTimersAsync();
  await Promise.all(sending);
  const gaps = receiver.sentMs.slice(1).map((ms, at) => ms - receiver.sentMs[at]!);
  expect(gaps).toHaveLength(16);
  for (const [at, gap] of gaps.entries()) {
    expect(gap).toBeGreaterThanOrEqual(Math.min(750 * 2 ** at, 450_000));
    expect(gap).toBeLessThanOrEqual(600_000);
  }
  expect(mostInFlight()).toBe(1);
  receiver.fault = undefined;
  const next = [begin(), begin()];
  await vi.runAllTimersAsync();
  expect(await Promise.all(next)).toEqual(['sent', 'sent']);
  // One proof ends the doubt.
  const before = receiver.asked;
  expect(await send()).toBe('sent');
  expect(receiver.asked).toBe(before);
});

const refusal = (status: number) => ApiError.from(new Response('{}', { status }), '{}');

test.each([
  ['a refusal', refusal(415)],
  ['a conflict', new UploadConflict(refusal(409))],
])('%s is believed only from the holder of the key', async (_name, fault) => {
  const { receiver, send } = makeReceiver();
  receiver.fault = fault;
  expect(await send()).toBe(fault);
  expect(receiver.asked).toBe(2);
  receiver.keyFault = new TypeError('fetch failed');
  expect(await send()).toMatchObject({ name: 'Unproven', message: 'fetch failed' });
  // It is doubted now: without the key, nothing more is sent.
  expect(await send()).toBe(receiver.keyFault);
  expect(receiver.sentMs).toHaveLength(2);
});

test('a success that says nothing of an upload is no answer of the platform', async () => {
  const { receiver, send } = makeReceiver();
  receiver.fault = new NoUploadAnswer('nothing of an upload');
  expect(await send()).toMatchObject({ name: 'Unproven', message: 'nothing of an upload' });
});

test.each([
  ['a lost connection', new NetworkFault('lost')],
  ['a platform that is busy', refusal(503)],
])('%s is left to the gate of all bodies', async (_name, fault) => {
  const { receiver, send } = makeReceiver();
  receiver.fault = fault;
  expect(await send()).toBe(fault);
  expect(await send()).toBe(fault);
  expect(receiver.asked).toBe(1);
});

test('what is stopped is held against nobody, also while it waits', async () => {
  const { receiver, send, begin } = makeReceiver();
  const stop = new AbortController();
  receiver.fault = inVain(new Error('stopped'));
  stop.abort();
  expect(await send(stop.signal)).toMatchObject({ name: 'AbortError' });
  expect(await send()).toMatchObject({ name: 'Unproven' });
  const waiting = new AbortController();
  const one = begin(waiting.signal);
  waiting.abort();
  expect(await one).toMatchObject({ name: 'AbortError' });
  expect(receiver.sentMs).toHaveLength(1);
});
