import { expect, test } from 'vitest';
import type { Resources } from './feature.ts';
import { NodeParts } from './node-parts.ts';

const resources = { version: '1.2.3', agentDir: undefined } as Resources;

test('a feature sees the parts that it names, and no others', () => {
  const parts = new NodeParts(resources);
  parts.add({ setupToken: 'token' });
  expect({ ...parts.pick({ name: 'setup', needs: ['version'] }) }).toEqual({ version: '1.2.3' });
});

test('a part of a later feature throws until it is open, and is read afterwards', () => {
  const parts = new NodeParts(resources);
  const picked = parts.pick({ name: 'setup', needs: ['setupToken'] });
  expect(() => picked.setupToken).toThrow('setup reads the part setupToken before it exists');
  parts.add({ setupToken: 'token' });
  expect(picked.setupToken).toBe('token');
});

test('a part that is not in use is known as undefined', () => {
  const parts = new NodeParts(resources);
  parts.requireAll([{ name: 'release', needs: ['agentDir'] }]);
  expect(parts.read('agentDir')).toBeUndefined();
});

test('a node does not start when nothing provides a part', () => {
  const parts = new NodeParts(resources);
  expect(() => parts.requireAll([{ name: 'event', needs: ['version', 'live', 'pages'] }])).toThrow(
    'no feature provides these parts: event needs live, event needs pages',
  );
});
