import { gramsOf } from '@earshot/server/features/caption-index/grams';
import { keysOfWord, listedWords } from '@earshot/server/features/caption-index/words';
import { comparable, readWords } from '@earshot/contract/search-words';
import type { Pool } from '@earshot/server/platform/database/connect';
import { openRowCopier } from '../copy-rows.ts';
import { createCorpus, seededRandom } from './corpus.ts';

interface Clip {
  readonly key: number;
  readonly device: number;
  readonly start: number;
}

interface Said extends Clip {
  readonly words: readonly string[];
}

const atOnce = 10_000;

/** Inserts the captions of all clips in bulk; the search indexes are built afterwards. */
export async function fillCaptions(db: Pool, url: string): Promise<void> {
  await db`set statement_timeout = 0`;
  await db`set maintenance_work_mem = '1GB'`;
  await db`set synchronous_commit = off`;
  await db.unsafe('drop index caption_search_by_grams, caption_search_in_time, caption_search_of_device');
  const copier = await openRowCopier(url);
  const corpus = createCorpus();
  const random = seededRandom(11);
  // In the order of time, as a fleet is captioned: all devices record at the same time.
  const clips = await db<Clip[]>`
    select key, device_id as device, start_ms as start from audio_clips order by start_ms, key`;
  for (let at = 0; at < clips.length; at += atOnce) {
    const said = clips.slice(at, at + atOnce).map((clip): Said => ({ ...clip, words: corpus.say(random) }));
    await copier.copy('copy captions (audio_clip_id, device_id, transcript) from stdin', [
      said.map(transcriptLine).join(''),
    ]);
    await copier.copy('copy caption_search (audio_clip_id, device_id, start_ms, text, grams) from stdin', [
      said.map(searchLine).join(''),
    ]);
  }
  await copier.copy('copy caption_words (word, keys) from stdin', [
    listedWords(corpus.spoken.join(' '))
      .map((word) => `${word}\t{${keysOfWord(word).join(',')}}\n`)
      .join(''),
  ]);
  await copier.end();
  await db.unsafe('create index caption_search_by_grams on caption_search using gin (grams) with (fastupdate = off)');
  await db.unsafe('create index caption_search_in_time on caption_search (start_ms desc, audio_clip_id desc)');
  await db.unsafe(
    'create index caption_search_of_device on caption_search (device_id, start_ms desc, audio_clip_id desc)',
  );
  for (const table of ['captions', 'caption_search', 'caption_words']) await db.unsafe(`vacuum analyze ${table}`);
}

const sentence = (words: readonly string[]): string => `${words[0]![0]!.toUpperCase()}${words.join(' ').slice(1)}.`;

const transcriptLine = ({ key, device, words }: Said): string => `${key}\t${device}\t${sentence(words)}\n`;

const searchLine = ({ key, device, start, words }: Said): string => {
  const text = comparable(readWords(sentence(words)));
  return `${key}\t${device}\t${start}\t${text}\t{${gramsOf(text).join(',')}}\n`;
};
