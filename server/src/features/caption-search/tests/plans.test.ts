import { countFacets } from '@earshot/server/features/caption-search/facet-queries';
import { gramsOf } from '@earshot/server/features/caption-index/grams';
import { keysOfWord } from '@earshot/server/features/caption-index/words';
import { loadHits } from '@earshot/server/features/caption-search/hit-queries';
import type { Limits, SearchOrder } from '@earshot/server/features/caption-search/matching';
import { usualLimits } from '@earshot/server/features/caption-search/matching';
import { matchTiers } from '@earshot/server/features/caption-search/tiers';
import { readSequences } from '@earshot/contract/words/public';
import { resolveScope } from '@earshot/server/features/caption-search/scope-queries';
import type { Pool } from '@earshot/server/platform/database/connect';
import { connect } from '@earshot/server/platform/database/connect';
import type { Caller } from '@earshot/server/platform/http/caller';
import type { TestDatabase } from '@earshot/server/testing/database';
import { createTestDatabase } from '@earshot/server/testing/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sent } from '../../audio-clip/tests/plans.ts';
import { openCapturing } from '../../audio-clip/tests/plans.ts';
import { resolveTerms } from '@earshot/server/features/caption-index/public';
import { listOtherForms } from '@earshot/server/features/vocabulary/public';

/*
 * The query plans of searches among 20,000 captions: no search reads a whole table, for any text, order and number of
 * devices. The statements are explained as sent, with the settings that were sent with them.
 */

const deviceCount = 400;
const captionsPerDevice = 50;
const newestMs = 1_794_704_400_000;

let database: TestDatabase;
let db: Pool;
let capturing: ReturnType<typeof openCapturing>;
let admin: Caller;
let member: Caller;
let owner: Caller;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { connections: 1, name: 'plans', statementTimeoutMs: 0 });
  capturing = openCapturing(database.url);
  [admin, member, owner] = [await addPerson('admin'), await addPerson('member'), await addPerson('owner')];
  await addDevices();
  await addCaptions();
  await addVocabularies();
});
afterAll(async () => {
  await capturing.db.end({ timeout: 1 });
  await db.end({ timeout: 1 });
  await database.drop();
});

async function addPerson(name: 'admin' | 'member' | 'owner'): Promise<Caller> {
  const role = name === 'admin' ? 'admin' : 'member';
  const [row] = await db<{ key: number }[]>`
    insert into users (email, role, password_hash, postback_secret) values (${name}, ${role}, '', '') returning key`;
  return { userID: row?.key ?? 0, role, credential: name };
}

/** Three of them are the member's, half are the owner's. */
const addDevices = () => db`
  insert into devices (user_id, device_serial, device_name, longest_clip_ms)
  select case when n <= 3 then ${member.userID}::bigint when n % 2 = 0 then ${owner.userID}::bigint
    else ${admin.userID}::bigint end, 'd-' || n, 'Device ' || n, 60000
  from generate_series(1, ${deviceCount}::int) n`;

/** 20,000 entries: 100 groups, one of them the member's. In the member's, a zebra may be an owl. */
async function addVocabularies(): Promise<void> {
  await db`
    insert into collections (user_id, collection_name)
    select case when n = 50 then ${member.userID}::bigint else ${admin.userID}::bigint end, 'Group ' || n
    from generate_series(1, 100) n`;
  await db`
    insert into vocabulary_terms (collection_id, term, spoken_as)
    select c.key, 'term ' || n, jsonb_build_array('form ' || n, 'other form ' || n)
    from collections c, generate_series(1, 200) n`;
  await db`
    insert into vocabulary_terms (collection_id, term, spoken_as)
    select key, 'Unicorn', '["owl"]' from collections where user_id = ${member.userID}`;
  for (const table of ['collections', 'vocabulary_terms']) await db.unsafe(`vacuum analyze ${table}`);
}

/** One word in all captions, one in every tenth, and one in a few. */
async function addCaptions(): Promise<void> {
  await db`
    insert into audio_clips (device_id, start_ms, end_ms)
    select d.key, ${newestMs}::bigint - n * 60000, ${newestMs}::bigint - n * 60000 + 60000
    from generate_series(0, ${captionsPerDevice - 1}) n, devices d order by n desc, d.key`;
  const texts = [' the north gate ', ' the north gate and an owl ', ' the zebra was there '];
  const grams = texts.map((text) => `{${gramsOf(text).join(',')}}`);
  const said = db`case when key % 4001 = 0 then 3 when key % 10 = 0 then 2 else 1 end`;
  await db`
    insert into captions (audio_clip_id, device_id, transcript)
    select key, device_id, trim((${texts}::text[])[${said}]) from audio_clips`;
  await db`
    insert into caption_search (audio_clip_id, device_id, start_ms, text, grams)
    select key, device_id, start_ms, (${texts}::text[])[${said}], (${grams}::text[])[${said}]::integer[] from audio_clips`;
  const words = ['the', 'north', 'gate', 'and', 'an', 'owl', 'zebra', 'was', 'there', 'nine', 'one', 'knight', 'night'];
  const keys = words.map((word) => `{${keysOfWord(word).join(',')}}`);
  await db`
    insert into caption_words (word, keys)
    select word, keys::integer[] from unnest(${words}::text[], ${keys}::text[]) n (word, keys)`;
  await db`
    insert into caption_words (word, keys) select 'other' || n, array[n] from generate_series(1, 20000) n`;
  await db`insert into tags (tag_name) select 'tag ' || n from generate_series(1, 5) n`;
  await db`
    insert into audio_clip_tags (audio_clip_id, device_id, tag_id, clip_start_ms, offset_ms)
    select key, device_id, 1 + key % 5, start_ms, 0 from audio_clips where key % 3 = 0`;
  for (const table of ['audio_clips', 'captions', 'caption_search', 'audio_clip_tags', 'caption_words', 'devices']) {
    await db.unsafe(`vacuum analyze ${table}`);
  }
}

const large =
  /Seq Scan on (caption_search|caption_words|captions|caption_versions|audio_clips|audio_clip_tags|vocabulary_terms)\b/;

/** The plan of each statement, with the settings that were sent before it. */
async function plansOf(sent: readonly Sent[]): Promise<readonly string[]> {
  const settings = sent.find(({ text }) => text.includes('set_config'));
  const undo = new Error('taken back');
  const plans: string[] = [];
  await db
    .begin(async (tx) => {
      if (settings) await tx.unsafe(settings.text);
      for (const { text, parameters } of sent.filter((one) =>
        /caption_search|caption_words|captions|vocabulary_terms/.test(one.text),
      )) {
        const rows = await tx.unsafe<{ 'QUERY PLAN': string }[]>(`explain ${text}`, parameters);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      }
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return plans;
}

interface Asked {
  readonly searchText: string;
  readonly order?: SearchOrder;
  readonly tagIDList?: number[];
  readonly startEpoch?: number;
}

/** The plans of a search, from its first walk to the shown hits. */
async function search(caller: Caller, { order = 'desc', ...body }: Asked, limits: Limits) {
  capturing.sent.length = 0;
  const known = await resolveTerms(capturing.db, body.searchText, {
    lookUpForms: (texts) => listOtherForms(capturing.db, caller, texts),
  });
  const scope = await resolveScope(capturing.db, caller, body);
  const slice = { order, offset: 0, limit: 20 };
  const sequences = readSequences(known.terms, body.searchText);
  const { exact, similar } = await matchTiers(capturing.db, { known, sequences, scope: scope!, slice, limits });
  const keys = [...exact, ...similar];
  await loadHits(capturing.db, caller, keys);
  await countFacets(capturing.db, caller, keys, 'UTC');
  return plansOf(capturing.sent);
}

const people: [string, () => Caller][] = [
  ['an admin', () => admin],
  ['a member with some devices', () => member],
  ['a member with half of the devices', () => owner],
];
const orders = ['asc', 'desc', 'relevance'] as const;

describe.each(people)('for %s', (_who, who) => {
  test.each([
    'the',
    'owl',
    'zebra',
    'th',
    'zz',
    'x',
    '"the gate"',
    'the zebra owl',
    'zebras',
    'zebre',
    'their owls',
    'nine one one 911',
    '"owl the north gate"',
    'gate the north',
  ])('%s', async (searchText) => {
    for (const order of orders) {
      for (const limits of [usualLimits, { ...usualLimits, longestWalk: 0, mostCounted: 5, mostRanked: 5 }]) {
        const plans = await search(who(), { searchText, order }, limits);
        for (const plan of plans) expect(plan).not.toMatch(large);
      }
    }
  });

  test('with tags and a range', async () => {
    const startEpoch = newestMs / 1000 - 3600;
    for (const more of [{ tagIDList: [1, 2] }, { startEpoch }, { tagIDList: [3], startEpoch }]) {
      const plans = await search(who(), { searchText: 'owl', ...more }, usualLimits);
      for (const plan of plans) expect(plan).not.toMatch(large);
    }
  });
});

test('rare words are found by grams, common ones in time order', async () => {
  const ways = async (searchText: string, limits = usualLimits) =>
    (await search(admin, { searchText }, limits)).join('\n');
  expect(await ways('zebra')).toContain('Bitmap Index Scan on caption_search_by_grams');
  const common = await ways('the');
  expect(common).not.toContain('caption_search_by_grams');
  expect(common).toContain('caption_search_in_time_by_device');
});

test('among many devices, captions of others are skipped in the index', async () => {
  const common: string[] = [];
  for (const order of orders) common.push(...(await search(owner, { searchText: 'the', order }, usualLimits)));
  const walks = common.filter((plan) => plan.includes('CTE edge'));
  expect(walks.length).toBeGreaterThanOrEqual(orders.length);
  for (const plan of walks) {
    // With a comparison of two columns, the scan would not end at the edge.
    expect(plan).not.toContain('ROW(');
    expect(plan).toMatch(
      /Index Scan (?:Backward )?using caption_search_in_time_by_device.*\n.*Index Cond: .*device_id = ANY/,
    );
    expect(plan).not.toContain('Sort Key: s');
  }
  expect(common.join('\n')).not.toContain('caption_search_by_grams');
});

test('common words are counted only in the time in which enough of them are expected', async () => {
  const few = { ...usualLimits, mostCounted: 3_000, firstLook: { ...usualLimits.firstLook, one: 800 } };
  for (const [who, index] of [
    [admin, /caption_search_in_time_by_device/],
    [owner, /caption_search_(?:in_time_by_device|of_device)/],
  ] as const) {
    const plans = await search(who, { searchText: 'the' }, few);
    const [count = '', ...more] = plans.filter((plan) => plan.includes('CTE beyond'));
    expect(more).toEqual([]);
    const [, beyond = '', hits = ''] = count.split('CTE ');
    expect(beyond).toMatch(/Limit.*\n.*Index Only Scan using caption_search_in_time_by_device/);
    expect(hits).toMatch(index);
    expect(hits).toMatch(/Index Cond: .*start_ms > '\d+'/);
    expect(plans.join('\n')).not.toContain('caption_search_by_grams');
  }
});

test('whether a walk is short depends on the captions of the devices searched, not on those of others', async () => {
  const few = { ...usualLimits, mostCounted: 3_000, firstLook: { ...usualLimits.firstLook, one: 800 } };
  for (const who of [admin, owner]) {
    const short = (await search(who, { searchText: 'the' }, { ...few, longestWalk: 3_100 })).join('\n');
    expect(short).toContain('CTE beyond');
    expect(short).not.toContain('caption_search_by_grams');
    const long = (await search(who, { searchText: 'the' }, { ...few, longestWalk: 2_900 })).join('\n');
    expect(long).not.toContain('CTE beyond');
    expect(long).toContain('caption_search_by_grams');
  }
});

test('a plan that reads a whole table is detected', async () => {
  const [plan] = await plansOf([{ text: "select * from caption_search where text like '%x%'", parameters: [] }]);
  expect(plan).toMatch(large);
});

test('similar words, and words across two clips, are found by grams', async () => {
  const similar = (await search(admin, { searchText: 'zebre' }, usualLimits)).join('\n');
  expect(similar).toContain('caption_words_by_keys');
  expect(similar.match(/Bitmap Index Scan on caption_search_by_grams/g)?.length).toBeGreaterThan(1);
  const plans = await search(admin, { searchText: '"zebra was there the north"' }, usualLimits);
  const [across = '', ...more] = plans.filter((plan) => plan.includes('Function Scan on split'));
  expect(more).toEqual([]);
  // One for the splits whose first part is longer, one for the others.
  expect(across.match(/Bitmap Index Scan on caption_search_by_grams/g)).toHaveLength(2);
  expect(across.match(/caption_search_of_device/g)).toHaveLength(2);
});

test('planning does not depend on the number of splits and variants', async () => {
  const sentFor = async (searchText: string) => {
    const plans = await search(admin, { searchText }, usualLimits);
    // The selectivity of a constant pattern is estimated by comparing it with a sample of the texts.
    for (const plan of plans) expect(plan).not.toMatch(/text !?~~ (?:ANY|ALL|')/);
    return capturing.sent.map(({ text }) => text).filter((text) => text.includes('split'));
  };
  const [short] = await sentFor('"the owl"');
  expect(short).toContain('unnest');
  expect(await sentFor('"zebra was there the north gate and an owl"')).toEqual([short]);
  const [number] = await sentFor('gate nine one one');
  expect(number).toContain('unnest');
  expect(await sentFor('gate one one nine')).toEqual([number]);
});

test('a vocabulary costs one statement, which reads only the entries of readable groups', async () => {
  const plans = await search(member, { searchText: 'unicorn' }, usualLimits);
  const ofVocabulary = plans.filter((plan) => plan.includes('vocabulary_terms'));
  expect(ofVocabulary).toHaveLength(1);
  expect(ofVocabulary[0]).toContain('vocabulary_terms_of_scope');
  // The form is found by the index of grams or in time order, like any word.
  const found = capturing.sent.filter(({ text }) => text.includes('from caption_search'));
  expect(found.length).toBeGreaterThan(1);
  await search(member, { searchText: '"unicorn"' }, usualLimits);
  expect(capturing.sent.filter(({ text }) => text.includes('vocabulary_terms'))).toEqual([]);
});
