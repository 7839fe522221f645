import type { CreateRollout, RolloutState, RolloutWithDevices } from '@earshot/contract/rollout';
import { defaultStages } from '@earshot/contract/rollout';
import { longestIdList } from '@earshot/contract/values';
import { conflict, forbidden, invalidField, notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import { requireValue } from '../../platform/database/stored.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireCollection } from '../../access.ts';
import { findReleaseByHash } from '../agent/public.ts';
import { cancelIfPending } from '../event/public.ts';
import type { RolloutParts } from './advance.ts';
import { advanceRollout, sendUpdate } from './advance.ts';
import { assignStages } from './plan.ts';
import type { ActiveRollout, Candidate, PlacedDevice } from './queries.ts';
import {
  findCandidates,
  findCompetingRollout,
  findRollout,
  insertRollout,
  listRolloutDevices,
  lockNewRollouts,
  lockRollout,
  readPlaces,
  readRollout,
  writeJudgements,
  writeRollout,
  writeSent,
} from './queries.ts';

export async function readRolloutOf(db: Db, caller: Caller, rolloutID: number): Promise<RolloutWithDevices> {
  const rollout = await findRollout(db, caller, rolloutID);
  if (!rollout) throw notFound('rollout', rolloutID);
  return { ...rollout, devices: await listRolloutDevices(db, caller, rolloutID) };
}

export async function startRollout(
  parts: RolloutParts,
  caller: Caller,
  given: CreateRollout,
): Promise<RolloutWithDevices> {
  const { db } = parts;
  const stages = readStages(given.stages);
  const rolloutID = await inTransaction(db, async (tx) => {
    await lockNewRollouts(tx);
    if (!(await findReleaseByHash(tx, given.sha256))) {
      throw invalidField('sha256', 'must be a version of /v1/agentrelease/list');
    }
    const candidates = await findTargets(tx, caller, given);
    const places = assignStages(candidates.length, stages);
    return insertRollout(
      tx,
      caller.userID,
      {
        sha256: given.sha256,
        stages,
        mostFailures: given.mostFailures ?? 0,
        timeoutSeconds: given.timeoutSeconds ?? 3_600,
      },
      candidates.map((candidate, at) => ({
        ...candidate,
        stage: requireValue(places[at], 'rollout_devices.stage of a device'),
      })),
    );
  });
  await advanceRollout(parts, rolloutID);
  return readRolloutOf(db, caller, rolloutID);
}

function readStages(given: readonly number[] | undefined): readonly number[] {
  const stages = given?.length ? given : defaultStages;
  const isRising = stages.every((percentage, at) => percentage > (stages[at - 1] ?? 0));
  if (!isRising) throw invalidField('stages', 'must rise from one stage to the next, such as [10, 50, 100]');
  return stages.at(-1) === 100 ? stages : [...stages, 100];
}

/** Devices in contact first, so that the first stages show something. */
async function findTargets(tx: Db, caller: Caller, given: CreateRollout): Promise<readonly Candidate[]> {
  const { deviceGroupID: collectionID = 0, deviceIDs = [] } = given;
  if (collectionID && deviceIDs.length > 0) throw invalidField('deviceIDs', 'and deviceGroupID must not both be given');
  if (!collectionID && deviceIDs.length === 0) throw invalidField('deviceIDs', 'or deviceGroupID is required');
  if (collectionID) await requireCollection(tx, caller, 'read', collectionID);
  const found = await findCandidates(tx, caller, collectionID ? { collectionID } : { deviceIDs });
  const missing = deviceIDs.filter((key) => !found.some(({ deviceID }) => deviceID === key));
  if (missing.length > 0) throw invalidField('deviceIDs', `names devices that do not exist: ${missing.join(', ')}`);
  if (found.length === 0) throw conflict('The device group contains no device.');
  if (found.length > longestIdList) throw conflict(`A rollout has at most ${longestIdList} devices.`);
  const denied = found.filter(({ mayUpdate }) => !mayUpdate).map(({ deviceID }) => deviceID);
  if (denied.length > 0) {
    throw forbidden(
      `Only the owner or an admin may update a device; you do not own ${denied.slice(0, 20).join(', ')}.`,
    );
  }
  const busy = found.find(({ busyWith }) => busyWith !== null);
  if (busy) throw conflict(`Rollout ${busy.busyWith} is working on device ${busy.deviceID}. Stop it first.`);
  return found.toSorted((one, other) => Number(other.isOnline) - Number(one.isOnline));
}

/** Runs with the lock of the rollout. Returns the devices whose polls must be woken. */
type Change = (tx: Db, rollout: ActiveRollout, places: readonly PlacedDevice[]) => Promise<readonly number[]>;

/** Nothing changes if the rollout is in the state already: the same request may be sent twice. */
async function changeRollout(
  parts: RolloutParts,
  caller: Caller,
  rolloutID: number,
  from: readonly RolloutState[],
  to: RolloutState,
  change: Change,
): Promise<RolloutWithDevices> {
  const woken = await inTransaction(parts.db, async (tx) => {
    if (!(await findRollout(tx, caller, rolloutID))) throw notFound('rollout', rolloutID);
    if (to !== 'stopped') await lockNewRollouts(tx);
    await lockRollout(tx, rolloutID);
    const rollout = await readRollout(tx, rolloutID);
    if (!rollout) throw notFound('rollout', rolloutID);
    if (rollout.state === to) return [];
    if (!from.includes(rollout.state)) throw conflict(`The rollout is ${stateNames[rollout.state]}.`);
    const other = to === 'stopped' ? undefined : await findCompetingRollout(tx, rolloutID);
    if (other !== undefined) throw conflict(`Rollout ${other} is working on some of the devices. Stop it first.`);
    return change(tx, rollout, await readPlaces(tx, rolloutID));
  });
  if (woken.length > 0) parts.wakeups.add(woken);
  return readRolloutOf(parts.db, caller, rolloutID);
}

const stateNames: Readonly<Record<RolloutState, string>> = {
  running: 'running',
  stopped: 'stopped',
  done: 'done',
  takingBack: 'being taken back',
  takenBack: 'taken back',
};

/** Cancels the updates that no agent has taken; their devices wait again. */
async function cancelSentUpdates(
  tx: Db,
  caller: Caller,
  rolloutID: number,
  places: readonly PlacedDevice[],
): Promise<void> {
  const open = places.filter(({ state }) => state === 'sent');
  const cancelled = new Set(
    await cancelIfPending(
      tx,
      open.flatMap(({ eventID }) => eventID ?? []),
      caller,
    ),
  );
  await writeJudgements(
    tx,
    rolloutID,
    open
      .filter(({ eventID }) => eventID !== null && cancelled.has(eventID))
      .map(({ deviceID }) => ({ deviceID, state: 'waiting', reason: null })),
  );
}

export const haltRollout = (parts: RolloutParts, caller: Caller, rolloutID: number): Promise<RolloutWithDevices> =>
  changeRollout(parts, caller, rolloutID, ['running'], 'stopped', async (tx, rollout, places) => {
    await cancelSentUpdates(tx, caller, rollout.key, places);
    await writeRollout(tx, rollout.key, { state: 'stopped', reason: 'A person stopped it.' });
    return [];
  });

export async function resumeRollout(
  parts: RolloutParts,
  caller: Caller,
  rolloutID: number,
): Promise<RolloutWithDevices> {
  await changeRollout(parts, caller, rolloutID, ['stopped'], 'running', async (tx, rollout) => {
    await writeRollout(tx, rollout.key, { state: 'running', accepts: true });
    return [];
  });
  await advanceRollout(parts, rolloutID);
  return readRolloutOf(parts.db, caller, rolloutID);
}

/** Every device that took the update may run the new version, also one whose update failed or is in progress. */
export const revertRollout = (parts: RolloutParts, caller: Caller, rolloutID: number): Promise<RolloutWithDevices> =>
  changeRollout(parts, caller, rolloutID, ['running', 'stopped', 'done'], 'takingBack', async (tx, rollout, places) => {
    await cancelSentUpdates(tx, caller, rollout.key, places);
    const updated = (await readPlaces(tx, rollout.key)).filter(({ state }) =>
      ['sent', 'done', 'failed'].includes(state),
    );
    const woken: number[] = [];
    for (const sha256 of new Set(updated.flatMap(({ formerSha256 }) => formerSha256 ?? []))) {
      const deviceIDs = updated.filter((place) => place.formerSha256 === sha256).map(({ deviceID }) => deviceID);
      const former = await findReleaseByHash(tx, sha256);
      if (!former) throw new Error('a former release has no row');
      const { sent, denied } = await sendUpdate(tx, rollout, deviceIDs, former);
      await writeSent(tx, rollout.key, 'backSent', sent);
      await writeJudgements(
        tx,
        rollout.key,
        denied.map((each) => ({ ...each, state: 'backFailed' })),
      );
      woken.push(...sent.map(({ deviceID }) => deviceID));
    }
    const unknown = updated.filter(({ formerSha256 }) => formerSha256 === null);
    const reason = 'This platform has not shipped the former version of the device.';
    await writeJudgements(
      tx,
      rollout.key,
      unknown.map(({ deviceID }) => ({ deviceID, state: 'backFailed', reason })),
    );
    await writeRollout(tx, rollout.key, { state: 'takingBack' });
    return woken;
  });
