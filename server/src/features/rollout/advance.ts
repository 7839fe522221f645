import type { SoftwareUpdate } from '@earshot/contract/agent-release';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { updateText } from '../agent/public.ts';
import type { Wakeups } from '../event/public.ts';
import { enqueueAll, requireEventType } from '../event/public.ts';
import type { Judgement, RolloutStep } from './plan.ts';
import { judgeDevice, planStep, planWayBack } from './plan.ts';
import type { ActiveRollout, SentUpdate } from './queries.ts';
import {
  findActiveRollouts,
  findOwned,
  readPlaces,
  readRollout,
  readSent,
  tryLockRollout,
  writeJudgements,
  writeRollout,
  writeSent,
} from './queries.ts';

export interface RolloutParts {
  readonly db: Pool;
  readonly wakeups: Wakeups;
}

/** Runs on every node; a rollout on which another node works is left to it. */
export async function advanceRollouts(parts: RolloutParts): Promise<void> {
  for (const rolloutID of await findActiveRollouts(parts.db)) await advanceRollout(parts, rolloutID);
}

/** One step: what has ended is noted and the next events are sent, together. */
export async function advanceRollout({ db, wakeups }: RolloutParts, rolloutID: number): Promise<void> {
  const woken = await inTransaction(db, async (tx) => {
    if (!(await tryLockRollout(tx, rolloutID))) return [];
    const rollout = await readRollout(tx, rolloutID);
    if (rollout?.state !== 'running' && rollout?.state !== 'takingBack') return [];
    const judged = (await readSent(tx, rolloutID)).flatMap((device) => judgeDevice(device) ?? []);
    const states = new Map(judged.map(({ deviceID, state }) => [deviceID, state]));
    const places = (await readPlaces(tx, rolloutID)).map((place) => ({
      ...place,
      state: states.get(place.deviceID) ?? place.state,
    }));
    const step = rollout.state === 'running' ? planRunning(rollout, places) : planWayBack(places);
    return applyStep(tx, rollout, step, judged);
  });
  if (woken.length > 0) wakeups.add(woken);
}

function planRunning(rollout: ActiveRollout, places: Parameters<typeof planStep>[1]): RolloutStep {
  if (rollout.isDisabled) return { next: 'stopped', reason: 'The person who started it is disabled.' };
  return planStep(rollout, places);
}

/** Events before the rows of the rollout: the order of locks (docs/decisions/0020). Returns the devices to wake. */
async function applyStep(
  tx: Db,
  rollout: ActiveRollout,
  step: RolloutStep,
  judged: readonly Judgement[],
): Promise<readonly number[]> {
  const { key: rolloutID } = rollout;
  if (step.next !== 'send') {
    await writeJudgements(tx, rolloutID, judged);
    if (step.next === 'stopped') await writeRollout(tx, rolloutID, { state: 'stopped', reason: step.reason });
    else if (step.next !== 'wait') await writeRollout(tx, rolloutID, { state: step.next });
    return [];
  }
  const { sent, denied } = await sendUpdate(tx, rollout, step.deviceIDs, rollout);
  await writeJudgements(tx, rolloutID, [...judged, ...denied]);
  await writeSent(tx, rolloutID, 'sent', sent);
  await writeRollout(tx, rolloutID, { state: 'running', stage: step.stage });
  return sent.map(({ deviceID }) => deviceID);
}

/** A second attempt, because an event is given back when its agent starts again before it has reported. */
const maxAttempts = 2;

/**
 * Sends in the name of the person who started the rollout. Devices that the person does not own any more fail; they do
 * not prevent the others.
 */
export async function sendUpdate(
  tx: Db,
  { userID, role, timeoutSeconds }: ActiveRollout,
  deviceIDs: readonly number[],
  release: SoftwareUpdate,
): Promise<{ sent: readonly SentUpdate[]; denied: readonly Judgement[] }> {
  const caller: Caller = { userID, role, credential: 'rollout' };
  const owned = await findOwned(tx, caller, deviceIDs);
  const type = await requireEventType(tx, { eventType: 'Update_software' });
  const events = await enqueueAll(
    tx,
    caller,
    deviceIDs.filter((deviceID) => owned.has(deviceID)),
    {
      ...type,
      eventParameters: updateText(release),
      expirationEpoch: Math.floor(Date.now() / 1000) + timeoutSeconds,
      maxAttempts,
    },
  );
  return {
    sent: events.map(({ key, deviceID }) => ({ deviceID, eventID: key })),
    denied: deviceIDs
      .filter((deviceID) => !owned.has(deviceID))
      .map((deviceID) => ({
        deviceID,
        state: 'failed',
        reason: 'The person who started the rollout does not own the device.',
      })),
  };
}
