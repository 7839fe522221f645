import { expect, test } from 'vitest';
import { networkOf } from './client-network.ts';

test.each([
  ['198.18.0.1', '198.18.0.1'],
  ['::ffff:198.18.0.1', '198.18.0.1'],
  ['::ffff:c612:1', '198.18.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['64:ff9b::c612:1', '64:ff9b::c612:1'],
  ['::1', '::/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
