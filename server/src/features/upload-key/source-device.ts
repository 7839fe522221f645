import { mostKeyDevices } from '@earshot/contract/upload-key';
import { Refusal } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { addDeviceNamedFreely } from '../device/public.ts';
import { countSources, findSourceDevice, lockKeyForDevices, putSource } from './queries.ts';
import type { AcceptedKey } from './accept-key.ts';
import { wrongKey } from './accept-key.ts';

/** A recorder as its protocol names it. */
export interface RecorderSource {
  /** Identifies it among those of the key. */
  readonly source: string;
  /** The first choice for the serial of its device: letters, digits, `.`, `_` and `-`. */
  readonly serial: string;
  readonly deviceName: string;
}

/** The device of a recorder, which is created at its first upload. Its owner is the owner of the key. */
export async function deviceOfSource(db: Pool, key: AcceptedKey, recorder: RecorderSource): Promise<number> {
  const known = await findSourceDevice(db, key, recorder.source);
  if (known !== undefined) return known;
  return inTransaction(db, async (tx) => {
    if (!(await lockKeyForDevices(tx, key))) throw wrongKey();
    const meanwhile = await findSourceDevice(tx, key, recorder.source);
    if (meanwhile !== undefined) return meanwhile;
    await requireRoom(tx, key);
    const { deviceName, serial: deviceSerial } = recorder;
    const deviceID = await addDeviceNamedFreely(tx, ownerOf(key), { deviceName, deviceSerial });
    await putSource(tx, key.uploadKeyID, recorder.source, deviceID);
    return deviceID;
  });
}

async function requireRoom(tx: Db, { uploadKeyID }: AcceptedKey): Promise<void> {
  if ((await countSources(tx, uploadKeyID)) < mostKeyDevices) return;
  throw new Refusal('tooMany', `An upload key creates at most ${mostKeyDevices} devices. Use another key.`, {
    headers: { 'retry-after': '3600' },
  });
}

const ownerOf = ({ userID, uploadKeyID }: AcceptedKey): Caller => ({
  userID,
  role: 'member',
  credential: `upload key ${uploadKeyID}`,
});

/** The key as a caller that may act for one device only, whatever the role of its owner. */
export const callerFor = (key: AcceptedKey, deviceID: number): Caller => ({ ...ownerOf(key), deviceID });
