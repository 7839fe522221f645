import { mostSettings } from '@earshot/contract/device-setting';
import type { UserSetting } from '@earshot/contract/user-setting';
import type { Db, Fragment } from '../../platform/database/connect.ts';

const settingColumns = (db: Db): Fragment => db`
  s.key, s.user_id as "userID", s.setting_name as "settingName", s.setting_value as "settingValue",
  s.creation_date as "creationDate", s.last_modified_date as "lastModifiedDate"`;

export async function selectUserSettings(db: Db, userID: number): Promise<UserSetting[]> {
  return db<UserSetting[]>`
    select ${settingColumns(db)} from user_settings s where s.user_id = ${userID}
    order by s.setting_name limit ${mostSettings}`;
}

export async function selectUserSetting(db: Db, userID: number, name: string): Promise<UserSetting | undefined> {
  const [row] = await db<UserSetting[]>`
    select ${settingColumns(db)} from user_settings s where s.user_id = ${userID} and s.setting_name = ${name}`;
  return row;
}

/** False if there is no such person. */
export async function lockPerson(tx: Db, userID: number): Promise<boolean> {
  const rows = await tx`select 1 from users where key = ${userID} for no key update`;
  return rows.length === 1;
}

export async function countOtherUserSettings(tx: Db, userID: number, name: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from user_settings where user_id = ${userID} and setting_name <> ${name}`;
  return row?.count ?? 0;
}

export async function writeUserSetting(tx: Db, userID: number, name: string, value: string): Promise<boolean> {
  const rows = await tx`
    insert into user_settings as s (user_id, setting_name, setting_value) values (${userID}, ${name}, ${value})
    on conflict (user_id, setting_name) do update set setting_value = excluded.setting_value, last_modified_date = now()
    returning 1`;
  return rows.length === 1;
}

/** False if there is none. */
export async function removeUserSetting(db: Db, userID: number, name: string): Promise<boolean> {
  const rows = await db`delete from user_settings where user_id = ${userID} and setting_name = ${name} returning 1`;
  return rows.length === 1;
}
