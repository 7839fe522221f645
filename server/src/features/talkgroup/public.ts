import type { Db } from '../../platform/database/connect.ts';
import type { TalkgroupNames } from './queries.ts';
import { putTalkgroups } from './queries.ts';

/** Stores the names of a talkgroup that a recorder sent with a call, unless a person named it. */
export async function noteTalkgroup(tx: Db, deviceID: number, names: TalkgroupNames): Promise<void> {
  await putTalkgroups(tx, deviceID, [names], 'recorder');
}
