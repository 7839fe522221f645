import { expect, test } from 'vitest';
import type { LogPosition } from './went-back.ts';
import { findLoss } from './went-back.ts';

const at = (second: number, bytes: number, more: Partial<LogPosition> = {}): LogPosition => ({
  atMs: second * 1_000,
  timeline: 1,
  bytes,
  startedMs: 1,
  replayedBytes: null,
  checkpointBytes: 0,
  ...more,
});
const known = [at(1, 100), at(2, 200), at(3, 300)];

test.each<readonly [string, LogPosition]>([
  ['nothing was known', at(4, 0)],
  ['the same server goes on', at(4, 300)],
  ['a server that was promoted long ago goes on', at(4, 400, { replayedBytes: 50 })],
  ['it was restarted', at(4, 400, { startedMs: 2, checkpointBytes: 300 })],
  ['it recovered from a crash', at(4, 400, { startedMs: 2, replayedBytes: 300 })],
  ['a standby with everything was promoted', at(4, 400, { timeline: 2, startedMs: 2, replayedBytes: 310 })],
])('no loss: %s', (name, now) => {
  const before = name.startsWith('nothing') ? [] : now.replayedBytes === 50 ? [at(3, 300, now)] : known;
  expect(
    findLoss(
      before.map((position) => ({ ...position, bytes: Math.min(position.bytes, 300) })),
      now,
    ),
  ).toBeUndefined();
});

test.each<readonly [string, LogPosition, { sinceMs: number | undefined; lostBytes: number }]>([
  [
    'a copy was started, and others have written more since',
    at(4, 900, { startedMs: 2, checkpointBytes: 250 }),
    { sinceMs: 2_000, lostBytes: 50 },
  ],
  [
    'a standby without the end was promoted, and others have written more since',
    at(4, 900, { timeline: 2, startedMs: 2, replayedBytes: 200 }),
    { sinceMs: 2_000, lostBytes: 100 },
  ],
  ['a very old copy', at(4, 60, { startedMs: 2, checkpointBytes: 50 }), { sinceMs: undefined, lostBytes: 250 }],
  [
    'the log of a crashed server was cut off',
    at(4, 300, { startedMs: 2, replayedBytes: 150 }),
    { sinceMs: 1_000, lostBytes: 150 },
  ],
])('loss: %s', (_name, now, loss) => {
  expect(findLoss(known, now)).toEqual({ ...loss, untilMs: 3_000 });
});

test('a former primary that comes back has a lower timeline, even if it has written more', () => {
  const promoted = [at(1, 100), at(2, 220, { timeline: 2, startedMs: 2, replayedBytes: 150 })];
  const former = at(3, 500, { checkpointBytes: 480 });
  expect(findLoss(promoted, former)).toEqual({ sinceMs: 1_000, untilMs: 2_000, lostBytes: 0 });
});
