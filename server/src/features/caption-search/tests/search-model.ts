import * as fc from 'fast-check';
import { overlaps } from '../../audio-clip/tests/list-model.ts';

/** The fields of a caption that the contract's rules about searching use. */
export interface ModelCaption {
  readonly device: number;
  readonly startMs: number;
  readonly endMs: number | null;
  readonly tags: readonly string[];
  readonly transcript: string;
}

export interface ModelSearch {
  readonly searchText: string;
  readonly devices: readonly number[] | undefined;
  readonly tags: readonly string[] | undefined;
  readonly startEpoch: number | undefined;
  readonly endEpoch: number | undefined;
  readonly order: 'asc' | 'desc' | 'relevance';
  readonly offset: number;
  readonly limit: number;
}

export interface Bounds {
  readonly mostCounted: number;
  readonly mostRanked: number;
}

type Keyed = ModelCaption & { readonly key: number };

/** For the letters of these tests: removes accents, case and apostrophes, and replaces the rest by blanks. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f'’]/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[東京]/gu, ' $& ')
    .replaceAll(/[^a-z0-9東京]+/gu, ' ')
    .trim();

/** Each part must be contained: a quoted part as a sequence, otherwise each word. */
function partsOf(searchText: string): readonly string[] {
  const parts = [...searchText.matchAll(/"([^"]*)"|[^\s"]+/gu)];
  return parts.map(([part, inside]) => plain(inside ?? part)).filter(Boolean);
}

/** The order `relevance` as described in the decision record. */
function scoreOf(text: string, phrases: readonly string[]): number {
  const padded = ` ${text} `;
  const scored = phrases.slice(0, 6);
  let [whole, count] = [0, 0];
  for (const phrase of scored) {
    count += 3 + Math.min(5, padded.split(phrase).length - 1);
    whole += padded.includes(` ${phrase} `) ? 10 : 0;
  }
  const isInOrder = scored.length > 1 && padded.includes(scored.join(' '));
  return whole + (count * (isInOrder ? 2 : 1)) / Math.sqrt(200 + Buffer.byteLength(padded));
}

/** A phrase within another one and a repeated phrase are dropped. */
const distinct = (parts: readonly string[]): readonly string[] => {
  const all = [...new Set(parts)];
  return all.filter((part) => !all.some((other) => other !== part && other.includes(part)));
};

/** The sequence of words that may continue in the next clip: a phrase, or all words outside quotes. */
function sequenceOf(searchText: string): readonly string[] {
  const parts = distinct(partsOf(searchText));
  const isQuoted = /"[^"]*"/u.test(searchText);
  const sequence = isQuoted ? parts.slice(parts.length === 1 ? 0 : 1, 1).join('') : partsOf(searchText).join(' ');
  return sequence.split(' ');
}

/** Whether a sequence begins at the end of a caption and continues in the next one of its device. */
function isAcross(caption: Keyed, captions: readonly Keyed[], sequence: readonly string[]): boolean {
  const [next] = captions
    .filter(({ device, startMs }) => device === caption.device && startMs > caption.startMs)
    .toSorted((a, b) => a.startMs - b.startMs);
  if (!next || caption.endMs === null || Math.abs(next.startMs - caption.endMs) > 2000) return false;
  const [own, after] = [` ${plain(caption.transcript)} `, ` ${plain(next.transcript)} `];
  return sequence
    .slice(1)
    .some(
      (_, at) =>
        own.endsWith(`${sequence.slice(0, at + 1).join(' ')} `) &&
        after.startsWith(` ${sequence.slice(at + 1).join(' ')}`),
    );
}

/** The expected result, for the captions that the caller may read. */
export function expected(captions: readonly Keyed[], search: ModelSearch, bounds: Bounds, withAcross = false) {
  const parts = distinct(partsOf(search.searchText));
  const from = (search.startEpoch ?? -1) * 1000;
  const to = (search.endEpoch ?? 1e9) * 1000;
  const inScope = captions
    .filter(({ device }) => !search.devices || search.devices.length === 0 || search.devices.includes(device))
    .filter((caption) => overlaps(caption, from, to))
    .filter(({ tags }) => !search.tags || tags.some((tag) => search.tags?.includes(tag)))
    .toSorted((a, b) => b.startMs - a.startMs || b.key - a.key);
  const newest = inScope.filter(({ transcript }) => parts.every((part) => plain(transcript).includes(part)));
  const sequence = sequenceOf(search.searchText);
  const across = inScope.filter((one) => withAcross && !newest.includes(one) && isAcross(one, captions, sequence));
  const total = Math.min(newest.length, bounds.mostCounted) + across.length;
  const ranked = newest.length > bounds.mostCounted ? bounds.mostRanked : newest.length;
  const score = new Map(newest.map(({ key, transcript }) => [key, scoreOf(plain(transcript), parts)]));
  const byScore = (list: readonly Keyed[]) =>
    list.toSorted((a, b) => (score.get(b.key) ?? 0) - (score.get(a.key) ?? 0));
  const ordered = {
    desc: newest,
    asc: newest.toReversed(),
    relevance: [...byScore(newest.slice(0, ranked)), ...newest.slice(ranked)],
  }[search.order];
  const all = [...ordered, ...(search.order === 'asc' ? across.toReversed() : across)];
  const keys = all.slice(search.offset, search.offset + search.limit).map(({ key }) => key);
  return { total, keys };
}

export const deviceCount = 4;
export const tagNames = ['dog', 'rain', 'owl'];
const words = ['north', 'Gate', 'gates', 'the', 'The', 'café', "don't", 'Straße', 'a', 'ing', '東京', '100', 'ate-the'];

// Few different seconds, so that starts, ends and bounds are often equal.
const second = fc.integer({ min: 0, max: 60 });
const moment = fc.tuple(second, fc.constantFrom(0, 0, 1, 500)).map(([s, ms]) => s * 1000 + ms);
const sentence = fc
  .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', ' ', ', ', '. ', '\n')), { maxLength: 9 })
  .map((parts) => parts.flat().join(''));

const captionOf = fc
  .record({
    device: fc.integer({ min: 0, max: deviceCount - 1 }),
    startMs: moment,
    lengthMs: fc.constantFrom(null, 0, 1, 1000, 9000),
    tags: fc.subarray(tagNames),
    transcript: sentence,
  })
  // Some devices have more captions at some times.
  .map((one) => (one.device % 2 === 0 ? { ...one, startMs: Math.floor(one.startMs / 3) } : one))
  .map(({ lengthMs, ...rest }): ModelCaption => ({
    ...rest,
    endMs: lengthMs === null ? null : rest.startMs + lengthMs,
  }));

export const worlds = fc.uniqueArray(captionOf, {
  minLength: 120,
  maxLength: 300,
  size: 'max',
  selector: ({ device, startMs }) => `${device} ${startMs}`,
});

const asked = fc.constantFrom(
  'north',
  'GATE',
  'ate',
  'th',
  'e',
  '"the gate"',
  '"e no"',
  'Café',
  'dont',
  'strasse',
  '京',
  '"gate',
  'ate-t',
  '100',
  'zzz',
  'orth gat',
);
const rarely = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined, freq: 2 });
const devices = Array.from({ length: deviceCount }, (_, index) => index);

/** Whether a word that is a part of another one ranks as a term of its own depends on variants, which the model lacks. */
const isRankedByModel = ({ order, searchText }: ModelSearch): boolean =>
  order !== 'relevance' || distinct(partsOf(searchText)).length === partsOf(searchText).length;

const allSearches: fc.Arbitrary<ModelSearch> = fc.record({
  searchText: fc.array(asked, { minLength: 1, maxLength: 3 }).map((some) => some.join(' ')),
  devices: rarely(fc.subarray(devices)),
  tags: rarely(fc.subarray(tagNames, { minLength: 1 })),
  startEpoch: rarely(second),
  endEpoch: rarely(second),
  order: fc.constantFrom('asc', 'desc', 'relevance'),
  offset: fc.constantFrom(0, 0, 1, 3, 7, 40),
  limit: fc.constantFrom(1, 2, 5, 10, 20, 100),
});

/** A range of 0 to 0 is no range. */
const hasRange = ({ startEpoch, endEpoch }: ModelSearch): boolean => startEpoch !== 0 || endEpoch !== 0;

export const searches = allSearches.filter((search) => isRankedByModel(search) && hasRange(search));
