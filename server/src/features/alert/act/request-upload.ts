import { findWritableDevices } from '../../../access.ts';
import type { Db } from '../../../platform/database/connect.ts';
import { requestSoundByRule } from '../../audio-clip/public.ts';
import { findRuleOwner, findWatched, isAbleToAct } from '../../rule/public.ts';
import type { DoneAct, DueAction } from './due-action.ts';
import { actOf, refusedAct } from './due-action.ts';
import { findEveryDevice, findNearest } from './nearest-queries.ts';
import { noteActs, noteUploads } from './note-queries.ts';
import { askedForByRule } from './run-preset.ts';
import { findAskedClips, findClipsOnDevices, keepRequests } from './upload-queries.ts';

/** For so long after the alert, clips that are announced late are asked for. */
const lateHours = 6;
const mostDevices = 1_000;

/** Asks the devices for the sound around the clip: what they have announced now, and what they announce later. */
export async function askForSound(tx: Db, due: DueAction): Promise<readonly DoneAct[]> {
  const { action, owner, cause, alert, actionNumber } = due;
  if (cause.isAskedFor) return [{ ...refusedAct(due, askedForByRule), isLostRight: false }];
  const wanted = await devicesOf(tx, due);
  const writable = await findWritableDevices(tx, owner, wanted);
  // Of every device of the rule, those that the owner may only read are no fault.
  const denied = action.from === 'every' ? [] : wanted.filter((key) => !writable.has(key));
  const devices = wanted.filter((key) => writable.has(key));
  const stretch = {
    alertID: alert.key,
    actionNumber,
    fromMs: cause.startMs - (action.beforeSeconds ?? 0) * 1_000,
    toMs: cause.endMs + (action.afterSeconds ?? 0) * 1_000 + 1,
  };
  const clips = await findClipsOnDevices(tx, devices, stretch);
  await keepRequests(tx, devices, stretch, lateHours);
  const acts: DoneAct[] = denied.map((deviceID) =>
    refusedAct(due, 'The owner of the rule may not send work to the device.', deviceID),
  );
  for (const deviceID of devices) {
    const own = clips.filter((clip) => clip.deviceID === deviceID).map(({ key }) => key);
    const asked = own.length > 0 ? await requestSoundByRule(tx, owner, deviceID, own) : undefined;
    if (asked) await noteUploads(tx, due.rule.key, deviceID, asked.audioClips);
    if (asked || action.from !== 'every') acts.push({ ...actOf(due), deviceID, eventID: asked?.eventID });
  }
  if (acts.length > 0) return acts;
  return [{ ...refusedAct(due, 'No device is near enough, or has sound of that time.'), isLostRight: false }];
}

async function devicesOf(tx: Db, { action, owner, cause, rule }: DueAction): Promise<readonly number[]> {
  if (action.from === 'nearest') return findNearest(tx, owner, cause.deviceID, action.count ?? 1);
  if (action.from !== 'every') return [cause.deviceID];
  const { deviceIDs } = await findWatched(tx, owner, rule.definition.where);
  return (deviceIDs ?? (await findEveryDevice(tx, mostDevices)))
    .toSorted((one, other) => one - other)
    .slice(0, mostDevices);
}

/** Asks for clips that were announced after the alert that wants them. Returns the devices that got work. */
export async function requestLateUploads(tx: Db, clips: readonly number[]): Promise<readonly number[]> {
  const woken: number[] = [];
  for (const { alertID, actionNumber, ruleID, ownerID, deviceID, clips: own } of await findAskedClips(tx, clips)) {
    const owner = await findRuleOwner(tx, { key: ruleID, userID: ownerID });
    const mayAct =
      owner && (await isAbleToAct(tx, ownerID)) && (await findWritableDevices(tx, owner, [deviceID])).has(deviceID);
    if (!mayAct) continue;
    const asked = await requestSoundByRule(tx, owner, deviceID, own);
    if (!asked) continue;
    await noteUploads(tx, ruleID, deviceID, asked.audioClips);
    await noteActs(tx, owner, [{ alertID, actionNumber, action: 'requestUpload', deviceID, eventID: asked.eventID }]);
    woken.push(deviceID);
  }
  return woken;
}
