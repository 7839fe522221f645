import type { Client } from '@earshot/client/client';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, expect, test } from 'vitest';
import { isSearchable, markParts, matchedWords, mayMatch } from '../../../../../console/src/lib/search-match.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { say, segmentsOf } from './speech.ts';

/*
 * The console highlights exactly what the server finds: every search on every text is compared. Each line is one text;
 * each of its parts between bars is also a search on all texts.
 */
const probes: readonly (readonly [about: string, ...texts: string[]])[] = [
  ['kana, voiced and not', 'がか|が', 'か|はひ', 'ぱ|ば|は', 'か\u3099', 'カ\u3099|ガ', 'ｶﾞｷﾞ|ｶ', 'ハ\u309a|パ'],
  [
    'soft hyphens and zero-width characters',
    'co\u00adoperate|cooperate|co\u00adop',
    'zero\u200bwidth|zerowidth',
    'join\u2060ed|joined',
  ],
  ['joiners', 'می\u200cخواهم|میخواهم', 'क\u094d\u200dष|क\u094dष', '👩\u200d👩 family|family'],
  ['dotted i', 'İstanbul|istanbul|ISTANBUL', 'ısırgan|isirgan|ırgan', 'DİYARBAKIR|diyarbakir'],
  ['sharp s and capitals', 'Straße|strasse|STRASSE|STRAẞE|ß|ẞ', 'Maß|mass'],
  ['ligatures', 'ﬁnal ﬂight|final|flight|ﬀ', 'oﬃce|office', 'Ǆ|dž', 'œuvre|oeuvre'],
  ['full and half width', 'ＣＡＦＥ　２|cafe|café', 'ﾀﾜｰ|タワー', '１２３|123'],
  ['hangul', '한국어 방송|한국|국어', '\u1112\u1161\u11ab국|한', '가|ᄀ'],
  ['arabic and hebrew with marks', 'مَرْحَبًا|مرحبا', 'مـرحـبا', 'שָׁלוֹם|שלום', 'آب|اب', 'أحمد|احمد'],
  [
    'combining accents',
    'cafe\u0301|cafe|CAFÉ',
    'naïve|naive',
    'Ångström|angstrom',
    'e\u0323\u0301|é|ẹ',
    'Việt Nam|viet',
  ],
  ['letters that only look like accents', 'øre|ore', 'łódź|lodz', 'đ|d', 'ñandú|nandu'],
  ['greek', 'ΟΔΟΣ|οδός|οδοσ|ΟΔΌς', 'ΐ|ι'],
  ['digits', 'x² ½ ٣|x2|1 2|½|٣|3', '3.5|3 5|35', 'Ⅷ|viii', '①|1'],
  [
    'apostrophes and quotes',
    'don’t|dont|don\u02bct|don＇t',
    "rock'n'roll|rocknroll",
    '„so“ «ja»|so|ja',
    'Hawaiʻi|hawaii',
  ],
  ['joined by punctuation', 'e-mail now|e mail|email|"e mail"', 'a_b|ab', 'AT&T|at t', 'north\u2013gate|northgate'],
  [
    'scripts without spaces',
    '東京タワー|京タ|東 京',
    'ภาษาไทย|ไทย',
    'ພາສາລາວ|ລາວ',
    'မြန်မာ|မာ',
    'བོད་ཡིག|ཡིག',
    'ㄅㄆㄇ|ㄆ',
  ],
  ['indic marks', 'हिन्दी|हिन्द|हिनदी', 'தமிழ்|தமிழ|தமி'],
  ['beyond the first plane', '𐐔𐐯𐑅|𐐼𐐯', '𝒜bc|abc', '𠮷野|𠮷|野', '👍 ok|👍|ok'],
  ['long words', `${'pneumono'.repeat(20)} so|monopneumo`, `${'あ'.repeat(120)}|${'あ'.repeat(101)}`],
  ['overlaps and repeats', 'aaa|aa|a', 'a a a|"a a"', 'north gate west|"north gate" "gate west"|north "north gate"'],
  ['line breaks', 'one\u2028two\u2029three|"one two"', 'tab\tend\u0085next|"end next"|tabend'],
];

const textsOf = (line: string): readonly string[] => line.split('|');
const texts = [...new Set(probes.flatMap(([, ...lines]) => lines.map((line) => textsOf(line)[0]!)))];
const searches = [...new Set(probes.flatMap(([, ...lines]) => lines.flatMap(textsOf)))];

let server: SharedServer;
let client: Client;
beforeAll(async () => {
  server = await sharedTestServer();
  client = (await (await server.addPerson()).withKey()).client;
  const device = await addDevice(client);
  for (const [at, text] of texts.entries()) await say(server.db, client, device, at, text);
});

interface Segment {
  readonly words: readonly { readonly text: string; readonly startMs: number }[];
}

test('the console highlights what the server finds, on every text', async () => {
  const disagreements: string[] = [];
  const demand = (isRight: boolean, ...about: readonly string[]) => {
    if (!isRight) disagreements.push(about.map((part) => JSON.stringify(part)).join(' '));
  };
  for (const searchText of searches) {
    if (!isSearchable(searchText)) {
      await expect(client.searchCaptions({ body: { searchText } }), searchText).rejects.toMatchObject({ status: 400 });
      continue;
    }
    const { results } = await client.searchCaptions({ query: { limit: 100, order: 'asc' }, body: { searchText } });
    const found = new Map(results.map((hit) => [hit.startTime, hit]));
    for (const [at, text] of texts.entries()) {
      const hit = found.get(at);
      demand(mayMatch(text, searchText) === (hit !== undefined), searchText, 'found in', text);
      if (!hit) continue;
      demand(
        markParts(hit.snippet, searchText).some(({ isMatch }) => isMatch),
        searchText,
        'not marked in',
        text,
      );
      const words = (segmentsOf(text) as Segment[]).flatMap((segment) => segment.words);
      const lit = [...matchedWords(text, words, searchText)].map((place) => words[place]?.text).join(' ');
      demand(lit === hit.matches.map(({ word }) => word).join(' '), searchText, 'marks', lit, 'in', text);
    }
  }
  expect(disagreements).toEqual([]);
});

test('each search finds its own text', async () => {
  const missed: string[] = [];
  for (const [about, ...lines] of probes) {
    for (const line of lines) {
      const [text = ''] = textsOf(line);
      if (isSearchable(text) && !mayMatch(text, text)) missed.push(`${about}: ${text}`);
    }
  }
  expect(missed).toEqual([]);
});
