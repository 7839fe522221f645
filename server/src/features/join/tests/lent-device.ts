import { randomUUID } from 'node:crypto';
import type { Person } from '@earshot/server/testing/person';
import { tinyWav } from '../../file/tests/sound.ts';

/** When the sound of the devices begins. */
export const exportStart = 1_794_704_400;

/** A device with two seconds of sound. */
export async function addDevice({ session }: Person): Promise<number> {
  const deviceSerial = `d-${randomUUID()}`;
  const { key: deviceID = 0 } = await session.createDevice({ body: { deviceSerial, autoCaption: false } });
  const body = { startTime: exportStart, clipLengthInSeconds: 2 };
  const { key: audioClipID = 0 } = await session.announceAudioClip({ params: { audioClipID: deviceSerial }, body });
  await session.putAudioClipContent({ params: { audioClipID }, body: tinyWav(2, 500) });
  return deviceID;
}

/** Shares the device with a person who may only read it, and returns the collection. */
export async function lend({ session }: Person, deviceID: number, reader: Person): Promise<number> {
  const { key = 0 } = await session.createCollection({ body: { collectionName: 'Lent', memberAccess: 'read' } });
  for (const body of [
    { itemType: 'device', itemID: deviceID },
    { itemType: 'user', itemID: reader.userID },
  ] as const)
    await session.addCollectionItem({ params: { collectionItemID: key }, body });
  return key;
}
