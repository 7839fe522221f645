import type { DeviceSettingUpdate } from '@earshot/contract/device-setting';
import { mostSettings } from '@earshot/contract/device-setting';
import type { UserSetting } from '@earshot/contract/user-setting';
import { conflict, forbidden, notFound, Refusal } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { NameQuery } from '../device-setting/public.ts';
import { requireSettingName, requireSettingValue } from '../device-setting/public.ts';
import {
  countOtherUserSettings,
  lockPerson,
  writeUserSetting,
  removeUserSetting,
  selectUserSetting,
  selectUserSettings,
} from './queries.ts';

interface PersonQuery {
  readonly userid?: number;
}

/** Whose settings a request means: the caller's own, or those that an admin asks for. */
function personOf({ userID, role }: Caller, { userid }: PersonQuery): number {
  if (!userid || userid === userID) return userID;
  if (role !== 'admin') throw forbidden('Only an admin may read and change the settings of another person.');
  return userid;
}

const noSetting = (name: string) => new Refusal('notFound', `There is no setting ${name}.`);

export async function findUserSettings(db: Db, caller: Caller, query: PersonQuery): Promise<UserSetting[]> {
  return selectUserSettings(db, personOf(caller, query));
}

export async function readUserSetting(db: Db, caller: Caller, query: NameQuery & PersonQuery): Promise<UserSetting> {
  const name = requireSettingName(query);
  const setting = await selectUserSetting(db, personOf(caller, query), name);
  if (!setting) throw noSetting(name);
  return setting;
}

export async function storeUserSetting(
  db: Pool,
  caller: Caller,
  query: NameQuery & PersonQuery,
  given: DeviceSettingUpdate,
): Promise<void> {
  const name = requireSettingName(query, given);
  const value = requireSettingValue(given);
  const userID = personOf(caller, query);
  await inTransaction(db, async (tx) => {
    // Locked, so that the settings can be counted.
    if (!(await lockPerson(tx, userID))) throw notFound('user', userID);
    if (value === null) return removeUserSetting(tx, userID, name);
    if ((await countOtherUserSettings(tx, userID, name)) >= mostSettings) {
      throw conflict(`There are ${mostSettings} settings, the most that are stored. Remove one first.`);
    }
    return writeUserSetting(tx, userID, name, value);
  });
}

export async function eraseUserSetting(db: Db, caller: Caller, query: NameQuery & PersonQuery): Promise<void> {
  const name = requireSettingName(query);
  if (!(await removeUserSetting(db, personOf(caller, query), name))) throw noSetting(name);
}
