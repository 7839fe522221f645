import { expect, onTestFinished, test, vi } from 'vitest';
import { createOpenConnections } from './open-connections.ts';
import type { PooledConnection } from './pooled-connection.ts';

/** Connections whose ends are recorded, at a clock that the test sets. */
function openSome(count: number) {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const ended: number[] = [];
  const connections = createOpenConnections();
  const list = Array.from({ length: count }, (_, index) => {
    const connection = { openedAtMs: performance.now(), end: () => ended.push(index) } as unknown as PooledConnection;
    connections.add(connection);
    return connection;
  });
  return { connections, list, ended };
}

test('connections that nobody needs for a while are closed, but for two', () => {
  const { connections, list, ended } = openSome(5);
  for (const connection of list) connections.rest(connection);
  vi.advanceTimersByTime(9_000);
  const used = connections.takeIdle();
  connections.rest(used!);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(2_000);
  connections.rest(connections.takeIdle()!);
  expect(ended).toEqual([0, 1, 2]);
  expect([connections.open, connections.idle]).toEqual([2, 2]);
  expect(connections.takeIdle()).toBe(used);
});

test('an old connection is closed when it is given back', () => {
  const { connections, list, ended } = openSome(2);
  vi.advanceTimersByTime(46 * 60_000);
  connections.rest(list[1]!);
  expect(ended).toEqual([1]);
  expect(connections.idle).toBe(0);
});
