import { createHash } from 'node:crypto';
import type { AllowedCommand, CommandState, DeviceCommand } from '@earshot/contract/publication';
import { freeEventTypes } from '@earshot/contract/rule-allowance';
import { invalidField, Refusal } from '../../../errors.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { recordAct } from '../../audit/public.ts';
import type { NameablePreset, NamedCommand } from './queries.ts';
import { allowCommand, findCommands, findNameable, findPublisher, forgetCommands, nameCommands } from './queries.ts';

/** What an admin allows: type and parameters, as the SHA-256 of them. */
export const hashOfCommand = ({
  eventTypeID,
  eventParameters,
}: Pick<NameablePreset, 'eventTypeID' | 'eventParameters'>) =>
  createHash('sha256')
    .update(JSON.stringify([eventTypeID, eventParameters]))
    .digest('hex');

export function commandStateOf(command: NamedCommand): CommandState {
  if (!command.mayRun) return 'lost';
  if (freeEventTypes.some((name) => name === command.eventType)) return 'ready';
  if (command.allowedHash === null) return 'waiting';
  return command.allowedHash === hashOfCommand(command) ? 'ready' : 'changed';
}

export async function readCommands(db: Db, caller: Caller, deviceID: number): Promise<DeviceCommand[]> {
  const publisher = await findPublisher(db, deviceID);
  if (!publisher) return [];
  const commands = await findCommands(db, publisher, { deviceID, reader: caller });
  return commands.map((command) => {
    const { eventPresetID, eventPresetName, eventType, eventParameters, allowedBy } = command;
    const shown = { eventPresetID, eventPresetName, eventType, eventParameters, allowedBy };
    return { ...shown, contentHash: hashOfCommand(command), state: commandStateOf(command) } as DeviceCommand;
  });
}

/** Names the commands of a device that the caller publishes; without keys, those that the caller named before stay. */
export async function settleCommands(
  tx: Db,
  caller: Caller,
  deviceID: number,
  keys: readonly number[] | undefined,
): Promise<void> {
  if (!keys || keys.length === 0) return forgetCommands(tx, caller, deviceID, keys);
  const presets = await findNameable(tx, caller, deviceID, keys);
  const others = keys.filter((key) => presets.every(({ eventPresetID }) => eventPresetID !== key));
  if (others.length > 0)
    throw invalidField(
      'eventPresetIDs',
      `names presets that you may not run on this device, or that have no event type: ${others.join(', ')}`,
    );
  const isAdmin = caller.role === 'admin';
  await forgetCommands(tx, caller, deviceID, keys);
  const named = presets.map((preset) => ({ ...preset, allowedHash: isAdmin ? hashOfCommand(preset) : null }));
  await nameCommands(tx, caller, deviceID, named);
}

export async function allowNamedCommand(
  tx: Db,
  caller: Caller,
  deviceID: number,
  { contentHash }: AllowedCommand,
): Promise<void> {
  const publisher = await findPublisher(tx, deviceID);
  const commands = publisher ? await findCommands(tx, publisher, { deviceID }) : [];
  const allowed = commands.filter((command) => hashOfCommand(command) === contentHash);
  if (allowed.length === 0)
    throw new Refusal(
      'preconditionFailed',
      'No command of the device has this content: it was changed or taken away meanwhile. Read the commands again.',
    );
  for (const command of allowed) {
    await allowCommand(tx, caller, command, contentHash);
    await recordAct(tx, caller, 'command-allowed', { recordID: command.eventPresetID, deviceID });
  }
}
