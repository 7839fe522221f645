import { platformHeader } from '@earshot/contract/platform-mark';
import { expect, test, vi } from 'vitest';
import { judgeAnswer } from './judge-answer.ts';
import { NetworkFault, NotThePlatform } from './network-fault.ts';

const request = (path: string) => ({ method: 'GET', url: new URL(path, 'http://platform.test:8080') });
const version = request('/v1/version');
const marked = { [platformHeader]: '0.2.0' };
/** What the version before the mark sends with every answer. */
const older = { 'x-request-id': '1' };
const mebibyte = 1_048_576;

/** An address that has marked an answer, or not yet. */
function makeTrust(isMarking: boolean, setMarking = async () => {}) {
  const trust = { isMarking: () => isMarking, setMarking: vi.fn<() => Promise<void>>(setMarking) };
  return trust;
}

test('a marked answer is read, and the address is known to mark from then on', async () => {
  const fresh = makeTrust(false);
  const answer = await judgeAnswer(fresh, version, new Response('{"any":1}', { status: 201, headers: marked }));
  expect([answer.status, await answer.text(), answer.headers.get(platformHeader)]).toEqual([201, '{"any":1}', '0.2.0']);
  expect(fresh.setMarking).toHaveBeenCalledTimes(1);
  const known = makeTrust(true);
  await judgeAnswer(known, version, new Response('{}', { headers: marked }));
  expect(known.setMarking).not.toHaveBeenCalled();
});

test('a mark that cannot be noted is no reason not to hear the platform', async () => {
  const full = makeTrust(false, () => Promise.reject(new Error('no space left on device')));
  expect(await (await judgeAnswer(full, version, new Response('{}', { headers: marked }))).text()).toBe('{}');
});

test('an answer without the mark is that of an older platform if it has the shape, until one was marked', async () => {
  const answer = () => Response.json({ Version: '0.1.0' }, { headers: older });
  expect(await (await judgeAnswer(makeTrust(false), version, answer())).json()).toEqual({ Version: '0.1.0' });
  await expect(judgeAnswer(makeTrust(true), version, answer())).rejects.toBeInstanceOf(NotThePlatform);
});

test.each([
  ['a page', '<html>', older],
  ['a shape without the id of a request', '{"Version":"0.1.0"}', {}],
])('%s is not the platform, and its body is not read', async (_name, text, headers) => {
  const response = new Response(text, { status: 203, headers });
  await expect(judgeAnswer(makeTrust(false), version, response)).rejects.toMatchObject({
    status: 203,
    host: 'platform.test:8080',
  });
});

test('the body of somebody else is cancelled', async () => {
  const cancel = vi.fn<() => void>();
  const endless = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1_000)), cancel });
  await expect(judgeAnswer(makeTrust(true), version, new Response(endless))).rejects.toBeInstanceOf(NotThePlatform);
  expect(cancel).toHaveBeenCalledTimes(1);
  // A body that fails while it is cancelled changes nothing.
  const failing = new ReadableStream({ cancel: () => Promise.reject(new Error('reset')) });
  await expect(judgeAnswer(makeTrust(true), version, new Response(failing))).rejects.toBeInstanceOf(NotThePlatform);
});

test.each([204, 205, 304])('an answer %i has no body', async (status) => {
  const answer = await judgeAnswer(makeTrust(true), version, new Response(null, { status, headers: marked }));
  expect([answer.status, answer.body]).toEqual([status, null]);
});

test.each([
  ['marked', marked, 16],
  ['doubtful', older, 4],
])('of a %s answer no more than its limit is read', async (_name, headers, mostMebibytes) => {
  const ask = (bytes: number) =>
    judgeAnswer(makeTrust(false), version, new Response(`"${'x'.repeat(bytes - 2)}"`, { headers }));
  const tooLong = new NetworkFault(`the answer has more than ${mostMebibytes * mebibyte} bytes`);
  await expect(ask(mostMebibytes * mebibyte + 1)).rejects.toEqual(tooLong);
  // As long as the limit it is read, and then judged.
  const whole = ask(mostMebibytes * mebibyte);
  if (headers === marked) expect((await (await whole).text()).length).toBe(mostMebibytes * mebibyte);
  else await expect(whole).rejects.toBeInstanceOf(NotThePlatform);
});

test('a new version of the agent is left to its caller to read', async () => {
  const program = request('/install/agent.mjs');
  for (const headers of [marked, older]) {
    const response = new Response('program', { headers });
    expect(await judgeAnswer(makeTrust(false), program, response)).toBe(response);
  }
  const other = new Response('program', { headers: marked });
  expect(await judgeAnswer(makeTrust(true), request('/v1/install/agent'), other)).not.toBe(other);
});
