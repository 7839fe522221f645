import type { ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAddressRule } from '@earshot/server/platform/outbound/address';
import type { Lookup, OutboundCall } from '@earshot/server/platform/outbound/outbound';
import { createOutbound } from '@earshot/server/platform/outbound/outbound';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { notCallable, otherForbiddenAddresses, waysToThisMachine } from './forbidden-addresses.ts';
import type { Received, Receiver } from './receiver.ts';
import { startReceiver } from './receiver.ts';

let receiver: Receiver;
let answer: (request: Received, response: ServerResponse) => void;
beforeAll(async () => {
  receiver = await startReceiver((request, response) => answer(request, response));
});
afterAll(() => receiver.stop());
beforeEach(() => {
  answer = (_request, response) => response.end('hello');
  receiver.connections.length = 0;
  receiver.requests.length = 0;
});
afterEach(() => vi.unstubAllEnvs());

const get: OutboundCall = { method: 'GET', timeoutMs: 10_000, maxAnswerBytes: 1_000 };
const guarded = createOutbound({ allowNetworks: [] });
const open = createOutbound({ allowNetworks: ['0.0.0.0/0', '::/0'] });
const at = (spelling: string) => spelling.replace(':P', `:${receiver.port}`);
const here = (host: string, path = '/') => `http://${host}:${receiver.port}${path}`;
const refused = { fault: expect.stringMatching(/^(forbidden|unresolved)$/) as string };
const named =
  (addresses: readonly string[]): Lookup =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('forbidden addresses', () => {
  test.each(waysToThisMachine)('%j is never connected to, although it is reachable', async (spelling) => {
    await expect(guarded.send(at(spelling), get)).rejects.toMatchObject(refused);
    expect(receiver.connections).toEqual([]);
    expect(await open.send(at(spelling), get)).toMatchObject({ status: 200 });
    expect(receiver.connections).toHaveLength(1);
  });

  test.each(otherForbiddenAddresses)('%s is refused before a connection', async (host) => {
    await expect(guarded.send(here(host), get)).rejects.toMatchObject({
      fault: 'forbidden',
      message: 'its address is not public',
    });
  });

  test.each(notCallable)('%j cannot be called', async (text) => {
    await expect(open.send(text, get)).rejects.toMatchObject({ fault: 'forbidden' });
    expect(receiver.connections).toEqual([]);
  });

  test.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['fe80::1%lo'],
    ['8.8.8.8', '127.0.0.1'],
    ['127.0.0.1', '8.8.8.8'],
    [],
  ])('a name that resolves to %j is refused if any of them is forbidden', async (...addresses) => {
    const outbound = createOutbound({ allowNetworks: [], lookup: named(addresses) });
    await expect(outbound.send(here('recorders.example.org'), get)).rejects.toMatchObject({ fault: 'unresolved' });
    expect(receiver.connections).toEqual([]);
  });

  test('public addresses may be called', () => {
    const mayConnect = createAddressRule([]);
    for (const address of [
      '1.1.1.1',
      '8.8.8.8',
      '100.128.0.1',
      '172.32.0.1',
      '2606:4700:4700::1111',
      '::ffff:8.8.8.8',
      '64:ff9b::808:808',
    ]) {
      expect([address, mayConnect(address)]).toEqual([address, true]);
    }
  });
});

describe('allowed networks', () => {
  test.each(['127.0.0.2/32', '127.0.0.2', '127.0.0.0/30', '::ffff:127.0.0.2/127'])(
    '%s permits its addresses, and no others',
    async (network) => {
      const outbound = createOutbound({ allowNetworks: ['192.0.2.0/24', network] });
      expect(await outbound.send(here('127.0.0.2'), get)).toMatchObject({ status: 200 });
      expect(await outbound.send(here('[::ffff:127.0.0.2]'), get)).toMatchObject({ status: 200 });
      for (const host of ['127.0.0.9', '[::1]']) {
        await expect(outbound.send(here(host), get)).rejects.toMatchObject({ fault: 'forbidden' });
      }
      expect(receiver.connections).toEqual(['127.0.0.2', '127.0.0.2']);
    },
  );
});

describe('the check of the URL text, without a call', () => {
  const never = ['http://localhost./', 'http://recorder.localhost/', 'http://recorder.local/', 'http://a.internal/'];
  test.each([...waysToThisMachine, ...never])('%j is refused', (spelling) => {
    expect(() => guarded.checkText(at(spelling))).toThrow('its address is not public');
    expect(open.checkText(at(spelling)).href).toMatch(/^http:/);
  });

  test.each(otherForbiddenAddresses)('http://%s/ is refused', (host) => {
    expect(() => guarded.checkText(here(host))).toThrow('its address is not public');
  });

  test('an allowed network permits its addresses and names, and no other address', () => {
    const outbound = createOutbound({ allowNetworks: ['10.0.0.0/8'] });
    for (const host of ['10.1.2.3', '[::ffff:10.1.2.3]', 'recorder.internal', 'recorder.local', 'example.org'])
      expect(outbound.checkText(`https://${host}/x`).hostname).toBe(new URL(`https://${host}`).hostname);
    for (const host of ['192.168.0.1', 'localhost', '127.1'])
      expect(() => outbound.checkText(`https://${host}/`)).toThrow();
  });

  const failing =
    (code: string): Lookup =>
    () =>
      Promise.reject(Object.assign(new Error('no address'), { code }));

  test('the address check resolves the name; an internal name and an unknown one differ only in the exact reason', async () => {
    const url = 'https://recorders.example.org/';
    const message = 'the host name does not exist, or its address is not public';
    const reasons = new Map([
      [named(['10.0.0.1']), 'its address is not public'],
      [failing('ENOTFOUND'), 'the host name was not found'],
    ]);
    for (const [lookup, reason] of reasons) {
      const outbound = createOutbound({ allowNetworks: [], lookup });
      expect(outbound.checkText(url).href).toBe(url);
      for (const call of [outbound.checkAddress(url), outbound.send(url, get)])
        await expect(call).rejects.toMatchObject({ fault: 'unresolved', message, reason });
    }
  });

  test('a name whose lookup fails now may be called later', async () => {
    const outbound = createOutbound({ allowNetworks: [], lookup: failing('EAI_AGAIN') });
    expect(await outbound.checkAddress('https://recorders.example.org/')).toBeUndefined();
  });
});

describe('a name that resolves to changing addresses', () => {
  test('is connected to at the checked address, and checked again each time', async () => {
    const meanings = ['127.0.0.2', '127.0.0.1', '127.0.0.1'];
    const lookup = vi.fn<Lookup>(async () => [{ address: meanings.shift() ?? '', family: 4 }]);
    const outbound = createOutbound({ allowNetworks: ['127.0.0.2/32'], lookup });
    expect(await outbound.send(here('recorders.example.org'), get)).toMatchObject({ status: 200 });
    expect(lookup).toHaveBeenCalledTimes(1);
    await expect(outbound.send(here('recorders.example.org'), get)).rejects.toMatchObject({ fault: 'unresolved' });
    expect(receiver.connections).toEqual(['127.0.0.2']);
    expect(receiver.requests[0]?.headers['host']).toBe(`recorders.example.org:${receiver.port}`);
  });
});

describe('redirects', () => {
  const outbound = createOutbound({ allowNetworks: ['127.0.0.2/32', '127.0.0.3/32'] });
  const redirect = (status: number, to: (request: Received) => string | undefined) => {
    answer = (request, response) => {
      const location = to(request);
      response.writeHead(location === undefined ? 200 : status, location === undefined ? {} : { location }).end();
    };
  };

  test.each([
    'http://127.0.0.1:P/',
    '//127.0.0.1:P/',
    'http://[::1]:P/',
    'http://2130706433:P/',
    'http://localhost:P/',
    'file:///etc/passwd',
  ])('a redirect to %s is not followed', async (target) => {
    redirect(302, () => at(target));
    await expect(outbound.send(here('127.0.0.2'), { ...get, followRedirects: 5 })).rejects.toMatchObject(refused);
    expect(receiver.connections).toEqual(['127.0.0.2']);
  });

  test('redirects are not followed by default', async () => {
    redirect(302, () => '/elsewhere');
    expect(await outbound.send(here('127.0.0.2'), get)).toMatchObject({ status: 302 });
    expect(receiver.requests).toHaveLength(1);
  });

  test('up to the given number of redirects is followed, each on its own connection', async () => {
    redirect(302, ({ path }) => `${path}x`);
    await expect(outbound.send(here('127.0.0.2'), { ...get, followRedirects: 2 })).rejects.toMatchObject({
      fault: 'forbidden',
    });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/', '/x', '/xx']);
    expect(receiver.connections).toHaveLength(3);
  });

  test.each([
    [303, 'GET', ''],
    [302, 'GET', ''],
    [307, 'PUT', 'sound'],
    [308, 'PUT', 'sound'],
  ])('after %i a PUT becomes a %s, and credentials are not sent to another origin', async (status, method, body) => {
    redirect(status, ({ path }) => (path === '/' ? here('127.0.0.3', '/next') : undefined));
    const headers = { authorization: 'Basic c2VjcmV0', 'x-mark': 'kept', 'content-type': 'audio/wav' };
    const call = { ...get, method: 'PUT', body: 'sound', headers, followRedirects: 1 } as const;
    expect(await outbound.send(here('127.0.0.2'), call)).toMatchObject({ status: 200 });
    const [, second] = receiver.requests;
    expect(second).toMatchObject({ method, body, path: '/next', headers: { 'x-mark': 'kept' } });
    expect(second?.headers).not.toHaveProperty('authorization');
    expect('content-type' in (second?.headers ?? {})).toBe(method === 'PUT');
  });
});

describe('limits', () => {
  test('a call ends at its time limit and when it is aborted', async () => {
    answer = () => {};
    await expect(open.send(here('127.0.0.1'), { ...get, timeoutMs: 200 })).rejects.toMatchObject({ fault: 'late' });
    const givingUp = new AbortController();
    const call = open.send(here('127.0.0.1'), { ...get, signal: givingUp.signal });
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(2));
    givingUp.abort();
    await expect(call).rejects.toMatchObject({ fault: 'stopped' });
  });

  test('a DNS lookup that does not end is aborted at the time limit', async () => {
    const outbound = createOutbound({ allowNetworks: [], lookup: () => new Promise(() => {}) });
    await expect(outbound.send(here('slow.example.org'), { ...get, timeoutMs: 200 })).rejects.toMatchObject({
      fault: 'late',
    });
  });

  test('only the permitted part of a long response is read', async () => {
    answer = (_request, response) => response.end('x'.repeat(5_000_000));
    const long = await open.send(here('127.0.0.1'), get);
    expect(long).toMatchObject({ status: 200, cutShort: true });
    expect(long.body).toHaveLength(1_000);
    answer = (_request, response) => response.end('x'.repeat(1_000));
    expect(await open.send(here('127.0.0.1'), get)).toMatchObject({ cutShort: false });
  });

  test('a slow response body is cut off, and its status counts', async () => {
    answer = (_request, response) => {
      response.writeHead(202);
      response.write('slowly');
    };
    const answered = await open.send(here('127.0.0.1'), { ...get, timeoutMs: 300 });
    expect(answered).toMatchObject({ status: 202, cutShort: true });
    expect(answered.body.toString()).toBe('slowly');
  });

  test('endless headers are not a response', async () => {
    answer = (_request, response) => response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end();
    await expect(open.send(here('127.0.0.1'), get)).rejects.toMatchObject({ fault: 'failed' });
  });
});

test('proxy settings of the environment are ignored', async () => {
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'])
    vi.stubEnv(name, here('127.0.0.9'));
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  const outbound = createOutbound({ allowNetworks: ['127.0.0.2/32'] });
  expect(await outbound.send(here('127.0.0.2'), get)).toMatchObject({ status: 200 });
  await expect(outbound.send(here('10.0.0.1'), get)).rejects.toMatchObject({ fault: 'forbidden' });
  expect(receiver.connections).toEqual(['127.0.0.2']);
});

test('the error message contains neither the address nor the query', async () => {
  const lookup = named(['127.0.0.1']);
  const outbound = createOutbound({ allowNetworks: ['127.0.0.0/8'], lookup });
  const error: unknown = await outbound
    .send('http://closed.example.org:1/?token=secret', get)
    .catch((caught: unknown) => caught);
  expect(error).toMatchObject({ fault: 'failed', message: 'the connection was refused' });
});

describe('a request body', () => {
  const pieces = async function* (count: number, pauseMs: number) {
    for (let piece = 0; piece < count; piece++) {
      await sleep(pauseMs);
      yield Buffer.alloc(65_536);
    }
  };
  const put = (body: Readable): OutboundCall => ({ ...get, method: 'PUT', body, stallMs: 500 });

  test('is aborted when the other side accepts no more bytes', async () => {
    const sockets = new Set<Socket>();
    const deaf = createServer((socket) => sockets.add(socket.on('error', () => {}).pause()));
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}/`;
    const sent = open.send(url, put(Readable.from(pieces(1_000, 0))));
    await expect(sent).rejects.toMatchObject({ fault: 'late', message: 'the host accepted no data for too long' });
    for (const socket of sockets) socket.destroy();
    deaf.close();
  });

  test('may take longer than that in total, while bytes are accepted', async () => {
    expect(await open.send(here('127.0.0.1'), put(Readable.from(pieces(12, 80))))).toMatchObject({ status: 200 });
  });
});
