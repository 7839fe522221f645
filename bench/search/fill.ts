import { gramsOf } from '@earshot/server/features/caption-index/grams';
import { keysOfWord, listedWords } from '@earshot/server/features/caption-index/words';
import { comparable, readWords } from '@earshot/contract/words/public';
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

const indexes = {
  caption_search_by_grams: 'using gin (grams) with (fastupdate = off)',
  caption_search_in_time_by_device: '(start_ms desc, audio_clip_id desc, device_id)',
  caption_search_of_device: '(device_id, start_ms desc, audio_clip_id desc)',
};

/** Inserts the captions of all clips in bulk, without the indexes of the search. */
export async function fillCaptions(db: Pool, url: string): Promise<void> {
  await db`set statement_timeout = 0`;
  await db`set synchronous_commit = off`;
  await db.unsafe(`drop index ${Object.keys(indexes).join(', ')}`);
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
}

/** Builds the indexes that are missing. For a million captions this takes longer than inserting them. */
export async function indexCaptions(db: Pool): Promise<void> {
  await db`set statement_timeout = 0`;
  await db`set maintenance_work_mem = '1GB'`;
  const present = await db<{ name: string }[]>`
    select indexname as name from pg_indexes where tablename = 'caption_search'`;
  const missing = Object.entries(indexes).filter(([index]) => present.every(({ name }) => name !== index));
  for (const [name, definition] of missing) await db.unsafe(`create index ${name} on caption_search ${definition}`);
  if (missing.length === 0) return;
  for (const table of ['captions', 'caption_search', 'caption_words']) await db.unsafe(`vacuum analyze ${table}`);
}

const sentence = (words: readonly string[]): string => `${words[0]![0]!.toUpperCase()}${words.join(' ').slice(1)}.`;

const transcriptLine = ({ key, device, words }: Said): string => `${key}\t${device}\t${sentence(words)}\n`;

const searchLine = ({ key, device, start, words }: Said): string => {
  const text = comparable(readWords(sentence(words)));
  return `${key}\t${device}\t${start}\t${text}\t{${gramsOf(text).join(',')}}\n`;
};
