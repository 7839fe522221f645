import type { NewRule } from '@earshot/contract/rule';
import { createFollower } from '@earshot/server/features/alert/follow';
import { requireDefinition } from '@earshot/server/features/rule/check/check-rule';
import { judgeBatch } from '@earshot/server/features/rule/engine/judge-batch';
import { createRuleCache } from '@earshot/server/features/rule/engine/rule-cache';
import type { Pool } from '@earshot/server/platform/database/connect';
import { comparable, readWords } from '@earshot/contract/words/public';
import { commonWords, seededRandom } from '../search/corpus.ts';

/*
 * What it costs to judge a caption, in this process: all that the engine does for changed clips, with its database. The
 * hard case for an index of rules: each rule has two to four words of which every caption has all but one, all of them common.
 */

/** Every caption says all of these, and none of the others. */
const said = commonWords.slice(0, 40);
const unsaid = commonWords.slice(100, 500);

/** So many clips, each with the caption of the hard case. */
export async function captionClips(db: Pool, count: number): Promise<number[]> {
  const clips = await db<{ key: number }[]>`select key from audio_clips order by start_ms desc, key limit ${count}`;
  const keys = clips.map(({ key }) => key);
  await db`
    update caption_search set text = ${comparable(readWords(said.join(' ')))} where audio_clip_id = any(${keys}::bigint[])`;
  await db`truncate clips_to_judge`;
  return keys;
}

/** People who may read all devices, so that their rules are not left out before they are compared. */
export async function addReaders(db: Pool, count: number): Promise<number[]> {
  const people = await db<{ key: number }[]>`
    insert into users (email, role, password_hash, postback_secret)
    select 'reader-' || n || '@example.org', 'admin', '', '' from generate_series(1, ${count}::int) n
    on conflict (email) do update set role = excluded.role returning key`;
  return people.map(({ key }) => key);
}

/** Other than all others, as far as there are so many. */
function ruleOf(random: () => number): NewRule {
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!;
  const words = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(said));
  words.splice(Math.floor(random() * (words.length + 1)), 0, pick(unsaid));
  return { ruleName: 'bench', when: { words: words.join(' ') } };
}

/** Replaces all rules: so many, of these people in turn. */
export async function putRules(db: Pool, owners: readonly number[], count: number): Promise<void> {
  const random = seededRandom(count);
  const definitions = Array.from({ length: count }, () => JSON.stringify(requireDefinition(ruleOf(random))));
  await db`delete from rules`;
  await db`
    insert into rules (user_id, rule_name, is_enabled, severity, definition)
    select (${owners as number[]}::bigint[])[1 + (n.at - 1) % ${owners.length}], 'bench', true, 'info', n.text::jsonb
    from unnest(${definitions}::text[]) with ordinality n (text, at)`;
  await db.unsafe('vacuum analyze rules');
}

/** No agent waits for work here. */
const follower = createFollower({ wakeups: { add() {} } }, 6);

/** Milliseconds for each of the clips, when so many change at once. Rules are read before, as they are on a running node. */
export async function measureJudging(db: Pool, clips: readonly number[], atOnce: number): Promise<number[]> {
  const cache = createRuleCache();
  await change(db, clips.slice(0, 1));
  await judgeBatch(db, cache, follower);
  const times: number[] = [];
  for (let at = 0; at + atOnce <= clips.length; at += atOnce) {
    await change(db, clips.slice(at, at + atOnce));
    const start = performance.now();
    const judged = await judgeBatch(db, cache, follower);
    times.push((performance.now() - start) / atOnce);
    if (judged !== atOnce) throw new Error(`${judged} of ${atOnce} changes were judged: another node judges too.`);
  }
  return times;
}

/** As the trigger of a caption that is stored writes it. */
const change = (db: Pool, clips: readonly number[]): Promise<unknown> => db`
  insert into clips_to_judge (audio_clip_id, device_id, start_ms)
  select key, device_id, start_ms from audio_clips where key = any(${clips as number[]}::bigint[])`;
