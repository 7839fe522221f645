import type { EventPreset } from '@earshot/contract/event-preset';
import type { Db } from '../../../platform/database/connect.ts';
import { Refusal } from '../../../errors.ts';
import { enqueueHeldPreset, holdPresetToRun } from '../../event-preset/public.ts';
import { findMerged } from '../../rule/public.ts';
import { contentOfAction } from '../allowance/content.ts';
import { findAllowedHash, findEventTypeName } from '../allowance/queries.ts';
import type { DoneAct, DueAction } from './due-action.ts';
import { actOf, refusedAct } from './due-action.ts';
import { findNearest } from './nearest-queries.ts';
import { noteUploads } from './note-queries.ts';
import { freeEventTypes } from '@earshot/contract/rule-allowance';

export const askedForByRule = 'A rule asked for the upload of the clip; such clips cause no further work.';

/** Enqueues the preset on each of its devices, with the rights that the owner of the rule has now. */
export async function runPresetOfRule(tx: Db, due: DueAction): Promise<readonly DoneAct[]> {
  const { action, owner, cause } = due;
  const presetID = action.eventPresetID ?? 0;
  if (cause.isAskedFor) return [{ ...refusedAct(due, askedForByRule), isLostRight: false }];
  const preset = await holdPresetToRun(tx, owner, presetID);
  if (!preset) return [refusedAct(due, 'The event preset does not exist, or the owner of the rule may not run it.')];
  const fault = await faultOfContent(tx, due, preset);
  if (fault !== undefined) return [refusedAct(due, fault)];
  const devices = await devicesOfAction(tx, due);
  if (devices.length === 0) return [{ ...refusedAct(due, 'No device is near enough.'), isLostRight: false }];
  const acts: DoneAct[] = [];
  for (const deviceID of devices) acts.push(await runOn(tx, due, preset, deviceID));
  return acts;
}

async function runOn(tx: Db, due: DueAction, preset: EventPreset, deviceID: number): Promise<DoneAct> {
  try {
    const event = await enqueueHeldPreset(tx, due.owner, preset, deviceID);
    await noteUploads(tx, due.rule.key, deviceID, clipsNamedIn(event.eventParameters));
    return { ...actOf(due), deviceID, eventPresetID: preset.key, eventID: event.key };
  } catch (error) {
    // A refusal is decided before anything is written, so the transaction goes on.
    if (error instanceof Refusal) return refusedAct(due, error.message, deviceID);
    throw error;
  }
}

/** Undefined: rules run it by themselves, or an admin allowed this version of the rule and this content. */
async function faultOfContent(tx: Db, { rule, action, actionNumber }: DueAction, preset: EventPreset) {
  const type = await findEventTypeName(tx, preset.eventTypeID ?? 0);
  if (type === undefined) return 'The event preset has no event type.';
  if (freeEventTypes.some((name) => name === type)) return undefined;
  const allowed = await findAllowedHash(tx, rule.key, actionNumber, rule.version);
  if (allowed === undefined) return `An admin has not allowed ${type} for this version of the rule.`;
  return allowed === contentOfAction(preset, action)
    ? undefined
    : `The event preset was changed after an admin allowed it; it must be allowed again.`;
}

async function devicesOfAction(tx: Db, { action, owner, cause }: DueAction): Promise<readonly number[]> {
  if (action.on === 'nearest') return findNearest(tx, owner, cause.deviceID, action.count ?? 1);
  if (action.on !== 'named') return [cause.deviceID];
  const named = action.deviceIDs ?? [];
  const into = await findMerged(tx, named);
  return [...new Set(named.map((key) => into.get(key) ?? key))].toSorted((one, other) => one - other);
}

/** Of an event that uploads clips. */
function clipsNamedIn(eventParameters: string): readonly number[] {
  const { audioClips } = JSON.parse(eventParameters) as { readonly audioClips?: unknown };
  return Array.isArray(audioClips) ? audioClips.filter((key): key is number => Number.isSafeInteger(key)) : [];
}
