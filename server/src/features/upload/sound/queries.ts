import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import { titleOfClip } from '../../audio-clip/public.ts';
import type { StoredFile } from '../../file/public.ts';
import { storedFileColumns } from '../../file/public.ts';

/** The file of a clip, with the title of the clip. */
export type ClipSound = StoredFile & { readonly title: string | null };

/** Undefined if the sound is not on the server, or the caller may not read the clip. */
export async function findSound(db: Db, caller: Caller, clipID: number): Promise<ClipSound | undefined> {
  const [row] = await db<ClipSound[]>`
    select ${storedFileColumns(db)}, ${titleOfClip(db)} as title
    from audio_clips c join devices d on d.key = c.device_id
    join files f on f.key = c.file_id and f.file_status = 1
    left join devices o on o.key = f.device_id
    where c.key = ${clipID} and c.audio_clip_status = ${audioClipStatus.available} and ${deviceRight(db, caller, 'read')}`;
  return row;
}
