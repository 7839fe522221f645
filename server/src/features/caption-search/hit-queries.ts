import type { AudioClipWithNames } from '@earshot/contract/audio-clip';
import type { RadioCall } from '@earshot/contract/radio';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Word } from '../../platform/listening/engine.ts';
import { deviceRight } from '../../access.ts';
import type { StoredClip } from '../audio-clip/public.ts';
import { clipColumns, clipNamesAndCall } from '../audio-clip/public.ts';

/** A found clip with its current caption. */
export interface FoundClip extends StoredClip, Pick<AudioClipWithNames, 'deviceName' | 'tagList'> {
  readonly captionID: number;
  readonly transcript: string;
  readonly radioCall?: RadioCall;
  readonly words: readonly Pick<Word, 'text' | 'startMs' | 'endMs'>[] | null;
}

/**
 * The clips with these keys, in their order. Each row is looked up by its key: with plain joins, the planner may read
 * whole tables, because it does not know how few keys there are.
 */
export async function loadHits(db: Db, caller: Caller, keys: readonly number[]): Promise<FoundClip[]> {
  return db<FoundClip[]>`
    select ${clipColumns(db)} ${clipNamesAndCall(db, caller)}, s.audio_clip_id as "captionID", s.transcript, (
      select jsonb_path_query_array(v.segments, '$[*].words[*]') from caption_versions v
      where v.audio_clip_id = s.audio_clip_id and v.version = s.version) as words
    from unnest(${keys as number[]}::bigint[]) with ordinality as n (key, position)
    cross join lateral (select * from audio_clips c where c.key = n.key limit 1) c
    cross join lateral (select * from devices d where d.key = c.device_id limit 1) d
    cross join lateral (select * from captions s where s.audio_clip_id = c.key limit 1) s
    where ${deviceRight(db, caller, 'read')}
    order by n.position`;
}
