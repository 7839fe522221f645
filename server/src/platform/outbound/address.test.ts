import { expect, test } from 'vitest';
import { createAddressRule } from './address.ts';

const isPermitted = createAddressRule([]);

test.each(['8.8.8.8', '168.63.129.17', '2606:4700::1111', '64:ff9b::8.8.8.8', '::ffff:8.8.8.8', '3ffe::1'])(
  '%s is public',
  (address) => {
    expect(isPermitted(address)).toBe(true);
  },
);

test.each([
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '::1',
  '::',
  'fe80::1',
  '::ffff:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::168.63.129.16',
  '64:ff9b:1::808:808',
  '2001:db8::1',
  '2002:808:808::1',
  '1fff::1',
  '4000::1',
  '2606:4700::5efe:808:808',
  '2606:4700::200:5efe:808:808',
])('%s is not public', (address) => {
  expect(isPermitted(address)).toBe(false);
});

test('an interface identifier that only looks like one with an IPv4 address is public', () => {
  expect(isPermitted('2606:4700::201:5efe:808:808')).toBe(true);
  expect(isPermitted('2606:4700::200:5eff:808:808')).toBe(true);
  expect(isPermitted('2606:4700::5efd:808:808')).toBe(true);
});

test.each(['', 'example.org', '8.8.8', '0x8.8.8.8', '2606:4700::1111%eth0', '[2606:4700::1111]'])(
  '"%s" is no address that can be judged',
  (text) => {
    expect(isPermitted(text)).toBe(false);
    expect(createAddressRule(['0.0.0.0/0', '::/0'])(text)).toBe(false);
  },
);

test.each<[string, string[], string[]]>([
  [
    '10.1.0.0/16',
    ['10.1.0.0', '10.1.255.255', '::ffff:10.1.0.1'],
    ['10.0.255.255', '10.2.0.0', '192.168.0.1', 'fd00::1'],
  ],
  ['192.168.1.5', ['192.168.1.5'], ['192.168.1.4', '192.168.1.6']],
  ['fd00:1::/32', ['fd00:1::5', 'fd00:1:ffff::1'], ['fd00:2::1', '10.0.0.1']],
  ['fd00::7', ['fd00::7'], ['fd00::8']],
  ['::ffff:10.1.0.0/112', ['10.1.0.1', '::ffff:10.1.255.255'], ['10.2.0.1']],
  ['::ffff:10.1.0.9', ['10.1.0.9'], ['10.1.0.8']],
  // Larger than all of IPv4: a network of IPv6, which no address of IPv4 is in.
  ['::ffff:0.0.0.0/95', [], ['10.1.0.9', '192.168.0.1']],
  ['::ffff:0.0.0.0/96', ['10.1.0.9', '192.168.0.1'], ['fd00::1']],
])('the operator may allow %s', (network, permitted, others) => {
  const rule = createAddressRule(['172.16.0.1', network]);
  expect(permitted.filter((address) => !rule(address))).toEqual([]);
  expect(others.filter(rule)).toEqual([]);
  expect(rule('172.16.0.1')).toBe(true);
  expect(rule('8.8.8.8')).toBe(true);
});
