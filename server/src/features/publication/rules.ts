import type { AllowedCommand, Publication, PublicationUpdate } from '@earshot/contract/publication';
import { requireDevice } from '../../access.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { MqttConfig } from '../../platform/mqtt/mqtt-config.ts';
import { recordAct } from '../audit/public.ts';
import { allowNamedCommand, readCommands, settleCommands } from './command/rules.ts';
import { isPublished, publish, withdraw } from './queries.ts';

export interface PublicationParts {
  readonly db: Pool;
  readonly mqtt: MqttConfig | undefined;
}

export async function readPublication(
  { db, mqtt }: PublicationParts,
  caller: Caller,
  deviceID: number,
): Promise<Publication> {
  await requireDevice(db, caller, 'read', deviceID);
  return shown({ db, mqtt }, caller, deviceID);
}

const shown = async (
  { db, mqtt }: { readonly db: Db; readonly mqtt: MqttConfig | undefined },
  caller: Caller,
  deviceID: number,
): Promise<Publication> => ({
  isPublished: await isPublished(db, deviceID),
  hasBroker: mqtt !== undefined,
  commands: await readCommands(db, caller, deviceID),
});

export async function changePublication(
  { db, mqtt }: PublicationParts,
  caller: Caller,
  deviceID: number,
  given: PublicationUpdate,
): Promise<Publication> {
  return inTransaction(db, async (tx) => {
    await requireDevice(tx, caller, 'own', deviceID);
    if (given.isPublished) {
      await publish(tx, caller.userID, deviceID);
      await settleCommands(tx, caller, deviceID, given.eventPresetIDs);
    } else await withdraw(tx, deviceID);
    await recordAct(tx, caller, 'device-changed', { recordID: deviceID, deviceID });
    return shown({ db: tx, mqtt }, caller, deviceID);
  });
}

export async function changeAllowance(
  { db, mqtt }: PublicationParts,
  caller: Caller,
  deviceID: number,
  given: AllowedCommand,
): Promise<Publication> {
  return inTransaction(db, async (tx) => {
    await requireDevice(tx, caller, 'own', deviceID);
    await allowNamedCommand(tx, caller, deviceID, given);
    return shown({ db: tx, mqtt }, caller, deviceID);
  });
}
