import { expect, test } from 'vitest';
import type { DevicePlace, SentDevice } from '../plan.ts';
import { assignStages, judgeDevice, planStep, planWayBack } from '../plan.ts';

test('the first stage is one device, the last is all, and no stage is empty', () => {
  expect(assignStages(1, [10, 50, 100])).toEqual([0]);
  expect(assignStages(3, [10, 50, 100])).toEqual([0, 1, 2]);
  expect(assignStages(10, [20, 50, 100])).toEqual([0, 1, 2, 2, 2, 3, 3, 3, 3, 3]);
  const many = assignStages(1_000, [10, 50, 100]);
  expect([0, 1, 2, 3].map((stage) => many.filter((each) => each === stage).length)).toEqual([1, 99, 400, 500]);
});

const sent = (change: Partial<SentDevice>): SentDevice => ({
  deviceID: 7,
  isBack: false,
  event: { status: 4, attempts: 1, result: null },
  isReporting: true,
  isOverdue: false,
  version: '2.0.0',
  ...change,
});
const stateOf = (change: Partial<SentDevice>) => judgeDevice(sent(change))?.state;
const event = (status: number, attempts = 1) => ({ status, attempts, result: null });

test('a device is done when its event is complete and it reports the version', () => {
  expect(stateOf({})).toBe('done');
  expect(stateOf({ isBack: true })).toBe('backDone');
  expect(stateOf({ isReporting: false })).toBeUndefined();
  expect(stateOf({ isReporting: false, isOverdue: true })).toBe('failed');
  for (const status of [1, 2, 3]) expect(stateOf({ event: event(status) })).toBeUndefined();
});

test('a device fails with its event; one that never took the event is skipped', () => {
  expect(judgeDevice(sent({ event: { ...event(5), result: 'No space' } }))).toMatchObject({
    state: 'failed',
    reason: 'No space',
  });
  expect(stateOf({ event: event(6) })).toBe('failed');
  expect(stateOf({ event: event(7) })).toBe('failed');
  expect(stateOf({ event: undefined })).toBe('failed');
  expect(stateOf({ event: event(6, 0) })).toBe('skipped');
  expect(stateOf({ event: event(6, 0), isBack: true })).toBe('backFailed');
});

const places = (...states: readonly (readonly [number, DevicePlace['state']])[]): DevicePlace[] =>
  states.map(([stage, state], at) => ({ deviceID: at + 1, stage, state }));
const progress = { stage: 0, mostFailures: 0, acceptedFailures: 0 };

test('a stage is sent when the stage before it has succeeded', () => {
  const begin = places([0, 'waiting'], [1, 'waiting'], [1, 'waiting']);
  expect(planStep(progress, begin)).toEqual({ next: 'send', stage: 0, deviceIDs: [1] });
  expect(planStep(progress, places([0, 'sent'], [1, 'waiting']))).toEqual({ next: 'wait' });
  expect(planStep(progress, places([0, 'done'], [1, 'waiting'], [2, 'waiting']))).toEqual({
    next: 'send',
    stage: 1,
    deviceIDs: [2],
  });
  expect(planStep({ ...progress, stage: 1 }, places([0, 'done'], [1, 'done']))).toEqual({ next: 'done' });
});

test('it stops when more devices fail than allowed, also while others are in progress', () => {
  const one = places([0, 'done'], [1, 'failed'], [1, 'sent'], [2, 'waiting']);
  expect(planStep(progress, one)).toEqual({ next: 'stopped', reason: '1 device failed. Failures allowed: 0.' });
  expect(planStep({ ...progress, mostFailures: 1 }, one)).toEqual({ next: 'wait' });
  expect(planStep({ ...progress, acceptedFailures: 1 }, one)).toEqual({ next: 'wait' });
});

test('it stops if no device has shown that the version works', () => {
  expect(planStep(progress, places([0, 'skipped'], [1, 'waiting']))).toMatchObject({ next: 'stopped' });
  expect(planStep(progress, places([0, 'skipped']))).toEqual({ next: 'done' });
});

test('devices that wait again in an earlier stage are sent first', () => {
  const again = places([0, 'done'], [1, 'waiting'], [1, 'done'], [2, 'waiting']);
  expect(planStep({ ...progress, stage: 1 }, again)).toEqual({ next: 'send', stage: 1, deviceIDs: [2] });
});

test('it is taken back when no device is on its way back', () => {
  expect(planWayBack(places([0, 'backSent'], [0, 'backDone']))).toEqual({ next: 'wait' });
  expect(planWayBack(places([0, 'backFailed'], [1, 'waiting']))).toEqual({ next: 'takenBack' });
});
