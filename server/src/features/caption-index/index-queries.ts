import { comparable, readWords } from '@earshot/contract/search-words';
import type { Db } from '../../platform/database/connect.ts';
import { numberArray } from '../../platform/database/number-array.ts';
import { gramsOf } from './grams.ts';

export interface SpokenCaption {
  readonly clipID: number;
  readonly transcript: string;
}

/**
 * Indexes the transcript for the search, in the transaction that writes or corrects it. The row is removed with its
 * caption, and moved with its clip.
 */
export async function indexCaption(tx: Db, { clipID, transcript }: SpokenCaption): Promise<void> {
  const text = comparable(readWords(transcript));
  // Locked until the transaction ends: a concurrent change of the clip's start either has committed or runs after this.
  await tx`
    insert into caption_search (audio_clip_id, device_id, start_ms, text, grams)
    select c.key, c.device_id, c.start_ms, ${text}, ${numberArray(gramsOf(text))}::integer[]
    from (select key, device_id, start_ms from audio_clips where key = ${clipID} for share) c
    on conflict (audio_clip_id) do update set text = excluded.text, grams = excluded.grams, start_ms = excluded.start_ms`;
}
