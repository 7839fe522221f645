import { eventStatus } from '@earshot/contract/event-status';
import type { RolloutDeviceState } from '@earshot/contract/rollout';

/*
 * What happens next in a rollout, without the database.
 *
 *   device   waiting ──sent──▶ sent ──▶ done      the event is complete, and the device reports the version
 *                                └────▶ failed    the event failed, or the device does not report the version
 *                                └────▶ skipped   no agent took the event: the device is not in contact
 *            any but waiting and skipped ──▶ backSent ──▶ backDone, backFailed
 *
 *   rollout  running ──▶ done         all stages have ended
 *               │ ▲
 *               ▼ │ continue
 *            stopped                  too many failures, no device in contact, or a person stopped it
 *               └──▶ takingBack ──▶ takenBack    (also from running and done)
 */

/** The stage of each device, in order: one device, then what the percentages add. No stage is empty. */
export function assignStages(count: number, percentages: readonly number[]): readonly number[] {
  const reached = [1, ...percentages.map((percentage) => Math.ceil((count * percentage) / 100)), count];
  const first = Array.from({ length: count }, (_, at) => reached.findIndex((number) => at < number));
  const used = [...new Set(first)];
  return first.map((stage) => used.indexOf(stage));
}

/** A device to which an event was sent, and what is known about it. */
export interface SentDevice {
  readonly deviceID: number;
  readonly isBack: boolean;
  /** Undefined if the event was removed. */
  readonly event: { readonly status: number; readonly attempts: number; readonly result: string | null } | undefined;
  /** Whether the device has reported with the version since the event was sent. */
  readonly isReporting: boolean;
  /** Whether the time to report with the version is over. */
  readonly isOverdue: boolean;
  readonly version: string;
}

export interface Judgement {
  readonly deviceID: number;
  readonly state: RolloutDeviceState;
  readonly reason: string | null;
}

/** Undefined while the update is in progress. */
export function judgeDevice(device: SentDevice): Judgement | undefined {
  const { deviceID, isBack, event, isReporting, isOverdue, version } = device;
  const fail = (reason: string): Judgement => ({ deviceID, state: isBack ? 'backFailed' : 'failed', reason });
  if (!event) return fail('The event was removed.');
  if (event.status < eventStatus.complete) return undefined;
  if (event.status === eventStatus.complete) {
    if (isReporting) return { deviceID, state: isBack ? 'backDone' : 'done', reason: null };
    return isOverdue ? fail(`The device does not report with version ${version}.`) : undefined;
  }
  if (event.status === eventStatus.error) return fail(event.result ?? 'The update failed.');
  const isCancelled = event.status === eventStatus.cancelled;
  if (event.attempts > 0) return fail(isCancelled ? 'The update was cancelled.' : 'The update took too long.');
  const reason = isCancelled ? 'The update was cancelled.' : 'The device was not in contact.';
  return { deviceID, state: isBack ? 'backFailed' : 'skipped', reason };
}

export interface DevicePlace {
  readonly deviceID: number;
  readonly stage: number;
  readonly state: RolloutDeviceState;
}

export interface RolloutProgress {
  readonly stage: number;
  readonly mostFailures: number;
  readonly acceptedFailures: number;
}

export type RolloutStep =
  | { readonly next: 'wait' | 'done' | 'takenBack' }
  | { readonly next: 'stopped'; readonly reason: string }
  | { readonly next: 'send'; readonly stage: number; readonly deviceIDs: readonly number[] };

export function planStep(
  { stage, mostFailures, acceptedFailures }: RolloutProgress,
  devices: readonly DevicePlace[],
): RolloutStep {
  const inState = (state: RolloutDeviceState) => devices.filter((device) => device.state === state);
  const failures = inState('failed').length - acceptedFailures;
  if (failures > mostFailures) {
    return { next: 'stopped', reason: `${countDevices(failures)} failed. Failures allowed: ${mostFailures}.` };
  }
  const waiting = devices.filter((device) => device.state === 'waiting' && device.stage <= stage);
  if (waiting.length > 0) return { next: 'send', stage, deviceIDs: waiting.map(({ deviceID }) => deviceID) };
  if (inState('sent').length > 0) return { next: 'wait' };
  const later = inState('waiting');
  if (later.length === 0) return { next: 'done' };
  // Without a device that runs the version nothing is known about it.
  if (inState('done').length === 0) {
    const reason = failures > 0 ? 'No device has been updated yet.' : 'No device of the stage was in contact.';
    return { next: 'stopped', reason };
  }
  const nextStage = Math.min(...later.map((device) => device.stage));
  const deviceIDs = later.filter((device) => device.stage === nextStage).map(({ deviceID }) => deviceID);
  return { next: 'send', stage: nextStage, deviceIDs };
}

const countDevices = (count: number): string => (count === 1 ? '1 device' : `${count} devices`);

export const planWayBack = (devices: readonly DevicePlace[]): RolloutStep =>
  devices.some(({ state }) => state === 'backSent') ? { next: 'wait' } : { next: 'takenBack' };
