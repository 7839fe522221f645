import type { Db, Fragment } from '../../platform/database/connect.ts';
import { gramsOf } from './grams.ts';
import { comparable, readWords } from '@earshot/contract/words/public';
import { numberArray } from '../../platform/database/number-array.ts';
import { keysOfWord, listedWords } from './words.ts';

export interface SpokenCaption {
  readonly clipID: number;
  readonly transcript: string;
}

export const moveIndexOfDevice = (tx: Db, deviceID: number, intoID: number): Promise<unknown> =>
  tx`update caption_search set device_id = ${intoID} where device_id = ${deviceID}`;

/**
 * Indexes the transcript for the search, in the transaction that writes or corrects it. The row is removed with its
 * caption, and moved with its clip.
 */
export async function indexCaption(tx: Db, { clipID, transcript }: SpokenCaption): Promise<void> {
  const text = comparable(readWords(transcript));
  const words = listedWords(text);
  const keys = words.map((word) => numberArray(keysOfWord(word)));
  // Locked until the transaction ends: a concurrent change of the clip's start either has committed or runs after this.
  await tx`
    with listed as (
      insert into caption_words (word, keys)
      select word, keys::integer[] from unnest(${words}::text[], ${keys}::text[]) n (word, keys) order by word
      on conflict do nothing)
    insert into caption_search (audio_clip_id, device_id, start_ms, text, grams)
    select c.key, c.device_id, c.start_ms, ${text}, ${numberArray(gramsOf(text))}::integer[]
    from (select key, device_id, start_ms from audio_clips where key = ${clipID} for share) c
    on conflict (audio_clip_id) do update set text = excluded.text, grams = excluded.grams, start_ms = excluded.start_ms`;
}

/** Updates the index for clips whose start has changed; the rows have `key` and `start_ms`. */
export const moveIndexed = (db: Db, clips: Fragment): Fragment => db`
  update caption_search said set start_ms = moved.start_ms from ${clips} moved where said.audio_clip_id = moved.key`;
