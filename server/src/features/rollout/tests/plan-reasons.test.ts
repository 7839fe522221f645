import { expect, test } from 'vitest';
import type { DevicePlace } from '../plan.ts';
import { assignStages, judgeDevice, planStep } from '../plan.ts';

const sent = { deviceID: 7, isBack: false, isReporting: false, isOverdue: false, version: '2.0.0' };
const reasonOf = (status: number, attempts: number, result: string | null = null) =>
  judgeDevice({ ...sent, event: { status, attempts, result } });

test('a judgement names the device and the reason', () => {
  expect(reasonOf(5, 1)).toEqual({ deviceID: 7, state: 'failed', reason: 'The update failed.' });
  expect(reasonOf(5, 1, 'No space')).toEqual({ deviceID: 7, state: 'failed', reason: 'No space' });
  expect(reasonOf(6, 1)).toEqual({ deviceID: 7, state: 'failed', reason: 'The update took too long.' });
  expect(reasonOf(7, 1)).toEqual({ deviceID: 7, state: 'failed', reason: 'The update was cancelled.' });
  expect(reasonOf(6, 0)).toEqual({ deviceID: 7, state: 'skipped', reason: 'The device was not in contact.' });
  expect(reasonOf(7, 0)).toEqual({ deviceID: 7, state: 'skipped', reason: 'The update was cancelled.' });
  const event = { status: 4, attempts: 1, result: 'installed' };
  expect(judgeDevice({ ...sent, event, isReporting: true })).toEqual({ deviceID: 7, state: 'done', reason: null });
  expect(judgeDevice({ ...sent, event, isOverdue: true })).toEqual({
    deviceID: 7,
    state: 'failed',
    reason: 'The device does not report with version 2.0.0.',
  });
  expect(judgeDevice({ ...sent, event: undefined, isBack: true })).toEqual({
    deviceID: 7,
    state: 'backFailed',
    reason: 'The event was removed.',
  });
});

const places = (...states: readonly (readonly [number, DevicePlace['state']])[]): DevicePlace[] =>
  states.map(([stage, state], at) => ({ deviceID: at + 1, stage, state }));
const progress = { stage: 1, mostFailures: 1, acceptedFailures: 0 };

test('as many failures as allowed are accepted, one more stops it', () => {
  const two = places([0, 'done'], [1, 'failed'], [1, 'failed'], [2, 'waiting']);
  expect(planStep(progress, two)).toEqual({ next: 'stopped', reason: '2 devices failed. Failures allowed: 1.' });
  const goesOn = { next: 'send', stage: 2, deviceIDs: [4] };
  expect(planStep({ ...progress, mostFailures: 2 }, two)).toEqual(goesOn);
  expect(planStep({ ...progress, acceptedFailures: 1 }, two)).toEqual(goesOn);
});

test('it says why no device has shown that the version works', () => {
  expect(planStep(progress, places([0, 'failed'], [2, 'waiting']))).toEqual({
    next: 'stopped',
    reason: 'No device has been updated yet.',
  });
  expect(planStep(progress, places([0, 'skipped'], [2, 'waiting']))).toEqual({
    next: 'stopped',
    reason: 'No device of the stage was in contact.',
  });
});

test('the next stage is the first that waits, with all its devices and no other', () => {
  const later = places([0, 'done'], [4, 'waiting'], [3, 'waiting'], [4, 'waiting'], [3, 'waiting'], [3, 'skipped']);
  expect(planStep(progress, later)).toEqual({ next: 'send', stage: 3, deviceIDs: [3, 5] });
});

test('a percentage of few devices is rounded up, and stages without a device are left out', () => {
  expect(assignStages(0, [50])).toEqual([]);
  expect(assignStages(4, [30])).toEqual([0, 1, 2, 2]);
  expect(assignStages(4, [25, 26])).toEqual([0, 1, 2, 2]);
  expect(assignStages(4, [100])).toEqual([0, 1, 1, 1]);
  expect(assignStages(2, [])).toEqual([0, 1]);
});
