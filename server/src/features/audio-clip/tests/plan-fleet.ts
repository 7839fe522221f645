import type { Pool } from '@earshot/server/platform/database/connect';
import type { Caller } from '@earshot/server/platform/http/caller';

export const deviceCount = 200;
export const clipsPerDevice = 1000;
export const newestMs = 1_794_704_400_000;
export const silence = '00'.repeat(32);
export const epoch = (minutesBefore: number) => newestMs / 1000 - minutesBefore * 60;

export interface Fleet {
  readonly admin: Caller;
  readonly owner: Caller;
  readonly reader: Caller;
  readonly devices: readonly number[];
}

/** People, devices and clips, enough to tell a good plan from a bad one. */
export async function addFleet(db: Pool): Promise<Fleet> {
  const [admin, owner, reader] = await addPeople(db);
  const devices = await addDevices(db, owner, reader);
  await addClips(db);
  return { admin, owner, reader, devices };
}

async function addPeople(db: Pool): Promise<[Caller, Caller, Caller]> {
  const add = async (email: string, role: 'admin' | 'member'): Promise<Caller> => {
    const [row] = await db<{ key: number }[]>`
      insert into users (email, role, password_hash, postback_secret) values (${email}, ${role}, '', '') returning key`;
    return { userID: row?.key ?? 0, role, credential: email };
  };
  return [await add('admin', 'admin'), await add('owner', 'member'), await add('reader', 'member')];
}

/** All of one owner, and a tenth shared with another person. */
async function addDevices(db: Pool, owner: Caller, reader: Caller): Promise<readonly number[]> {
  const rows = await db<{ key: number }[]>`
    insert into devices (user_id, device_serial, device_name, longest_clip_ms, retention_days)
    select ${owner.userID}, 'd-' || n, 'Device ' || n, 60000, case when n % 2 = 0 then 1 end
    from generate_series(1, ${deviceCount}::int) n returning key`;
  await db`insert into collections (user_id, collection_name) values (${owner.userID}, 'lent')`;
  await db`
    insert into collection_items (collection_id, device_id, member_id, user_id, placed_by_admin)
    select c.key, d.key, null::bigint, c.user_id, false from collections c, devices d where d.key % 10 = 0
    union all select c.key, null, ${reader.userID}::bigint, c.user_id, false from collections c`;
  return rows.map(({ key }) => key);
}

/** A clip a minute, in the order of a fleet; a tenth of them of another type, a fifth with a tag, a fifth with words. */
async function addClips(db: Pool): Promise<void> {
  // No clip has the last of them.
  await db`insert into tags (tag_name) select 'tag ' || n from generate_series(1, 51) n`;
  await db`
    insert into files (device_id, filename, file_size, content_type, file_status)
    select key, 'a.wav', 5, 'audio/wav', 1 from devices`;
  await db`
    insert into audio_clips (device_id, audio_clip_type_id, start_ms, end_ms, file_id)
    select d.key, (n % 10 = 0)::int, ${newestMs}::bigint - n * 60000, ${newestMs}::bigint - n * 60000 + 60000,
      case when n % 7 = 0 then f.key end
    from generate_series(0, ${clipsPerDevice - 1}) n, devices d join files f on f.device_id = d.key
    order by n desc, d.key`;
  await db`
    insert into audio_clip_tags (audio_clip_id, device_id, tag_id, clip_start_ms, offset_ms)
    select key, device_id, 1 + key % 50, start_ms, 0 from audio_clips where key % 5 = 0`;
  await db`
    insert into captions (audio_clip_id, device_id, transcript)
    select key, device_id, 'the north gate number ' || key from audio_clips where key % 5 = 1`;
  await db`
    insert into caption_search (audio_clip_id, device_id, start_ms, text, grams)
    select key, device_id, start_ms, ' the north gate number ' || key || ' ', '{1}' from audio_clips where key % 5 = 1`;
  // As far as the clips are not of before; a muted input gives many of them the same bytes.
  await db`
    insert into clip_recordings (audio_clip_id, device_id, given_start_ms, sha256, filename)
    select key, device_id, start_ms, decode(${silence}, 'hex'), 'night ' || key || '.wav' from audio_clips where key % 3 > 0`;
  for (const table of [
    'clip_recordings',
    'audio_clips',
    'audio_clip_tags',
    'captions',
    'caption_search',
    'devices',
    'tags',
    'files',
  ]) {
    await db.unsafe(`vacuum analyze ${table}`);
  }
}
