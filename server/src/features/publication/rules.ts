import type { Publication, PublicationUpdate } from '@earshot/contract/publication';
import { requireDevice } from '../../access.ts';
import type { Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { MqttConfig } from '../../platform/mqtt/mqtt-config.ts';
import { recordAct } from '../audit/public.ts';
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
  return { isPublished: await isPublished(db, deviceID), hasBroker: mqtt !== undefined };
}

export async function changePublication(
  { db, mqtt }: PublicationParts,
  caller: Caller,
  deviceID: number,
  given: PublicationUpdate,
): Promise<Publication> {
  return inTransaction(db, async (tx) => {
    await requireDevice(tx, caller, 'own', deviceID);
    if (given.isPublished) await publish(tx, caller.userID, deviceID);
    else await withdraw(tx, deviceID);
    await recordAct(tx, caller, 'device-changed', { recordID: deviceID, deviceID });
    return { isPublished: await isPublished(tx, deviceID), hasBroker: mqtt !== undefined };
  });
}
