import type { Db } from '../../../platform/database/connect.ts';

export async function lockUnconfirmed(
  tx: Db,
  channelID: number,
): Promise<{ readonly sealedSettings: Buffer | null } | undefined> {
  const [row] = await tx<{ sealedSettings: Buffer | null }[]>`
    select sealed_settings as "sealedSettings" from channels where key = ${channelID} for no key update`;
  return row;
}

export async function setConfirmed(tx: Db, channelID: number): Promise<void> {
  await tx`update channels set confirmed_date = coalesce(confirmed_date, now()) where key = ${channelID}`;
}
