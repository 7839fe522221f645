import type { lookup } from 'node:dns';
import { expect, test } from 'vitest';
import { createUploadAddresses, isNetwork } from './upload-address.ts';

const server = 'https://earshot.example.org';
const resolving = (...addresses: string[]) =>
  ((_name: string, _options: object, done: (error: Error | null, found: object[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup;

/** Whether sound may be sent to each of these addresses, as a number in a URL and by a name. */
async function judge(allowed: readonly string[] | undefined, addresses: readonly string[]): Promise<boolean[]> {
  const judged: boolean[] = [];
  for (const address of addresses) {
    const { require } = createUploadAddresses(server, allowed, resolving(address));
    const host = address.includes(':') ? `[${address}]` : address;
    const calls = [`http://${host}:8080/put`, 'https://receiver.example.org/put'].map((url) =>
      require(url).then(
        () => true,
        () => false,
      ),
    );
    const [byNumber, byName] = await Promise.all(calls);
    expect([address, byNumber]).toEqual([address, byName]);
    judged.push(byName!);
  }
  return judged;
}

const all = (addresses: readonly string[], value: boolean) => addresses.map(() => value);
const publicOnes = ['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700:4700::1111', '64:ff9b::808:808'];
const privateOnes = ['10.0.0.1', '172.16.9.9', '192.168.1.5', '100.64.0.1', 'fd00::1'];
const never = ['127.0.0.1', '169.254.169.254', '0.0.0.0', '::1', '::ffff:127.0.0.1', 'fe80::1', '64:ff9b::7f00:1'];

test('a new configuration allows public addresses, and no others', async () => {
  expect(await judge([], publicOnes)).toEqual(all(publicOnes, true));
  expect(await judge([], privateOnes)).toEqual(all(privateOnes, false));
  expect(await judge([], never)).toEqual(all(never, false));
});

test('networks that it names are allowed, and no others', async () => {
  expect(await judge(['192.168.1.0/24', 'fd00::/8'], privateOnes)).toEqual([false, false, true, false, true]);
  expect(await judge(['127.0.0.1'], ['127.0.0.1', '127.0.0.2', '::ffff:127.0.0.1'])).toEqual([true, false, true]);
});

test('a configuration of before the setting allows private networks, and neither this machine nor link-local ones', async () => {
  expect(await judge(undefined, [...publicOnes, ...privateOnes])).toEqual(all([...publicOnes, ...privateOnes], true));
  expect(await judge(undefined, never)).toEqual(all(never, false));
});

test('the platform itself is always allowed', async () => {
  const addresses = createUploadAddresses('http://127.0.0.1:8080', [], resolving('127.0.0.1'));
  expect(await addresses.require('http://127.0.0.1:8080/v1/file/1/upload')).toBeUndefined();
  await expect(addresses.require('http://127.0.0.1:8081/')).rejects.toThrow('add its network to allowNetworks');
});

test('one internal address of a name is enough to refuse it, also when the connection is made', async () => {
  const addresses = createUploadAddresses(server, [], resolving('8.8.8.8', '10.0.0.1'));
  const url = 'https://receiver.example.org/put';
  await expect(addresses.require(url)).rejects.toThrow('is not public');
  const found = await new Promise((done) =>
    addresses.lookupFor(url)?.('receiver.example.org', { all: true }, (error) => done(error)),
  );
  expect(found).toMatchObject({ message: expect.stringContaining('is not public') });
});

test.each([
  ['10.0.0.0/8', true],
  ['10.0.0.1', true],
  ['fd00::/8', true],
  ['10.0.0.0/33', false],
  ['home', false],
  ['10.0.0.0/8/1', false],
  ['', false],
])('%j as a network: %s', (text, expected) => expect(isNetwork(text)).toBe(expected));
