import type { TestServer } from '@earshot/server/testing/server';
import type { Key, Stored } from './inserts.ts';
import { availableFile, only, wavFacts, writeSound } from './inserts.ts';

/** Former sound of a clip, with its bytes. */
export async function insertClipVersion(server: TestServer, audioClipID: number): Promise<Key> {
  const { db } = server;
  const { key, storageName } = only(
    await db<Stored[]>`
      with clip as (select key, device_id, start_ms, end_ms from audio_clips where key = ${audioClipID}),
      device as (select device_id as key from clip), file as (${availableFile(db)}),
      version as (
        insert into clip_versions (audio_clip_id, device_id, file_id, sha256, start_ms, end_ms)
        select clip.key, clip.device_id, file.key, decode(${wavFacts.sha256}, 'hex'), clip.start_ms, clip.end_ms
        from clip, file returning key)
      select version.key, file.storage_name as "storageName" from version, file`,
  );
  await writeSound(server, storageName);
  return { key };
}
