import * as fc from 'fast-check';

/** The fields of a clip that the contract's rules about lists use. */
export interface ModelClip {
  readonly device: number;
  readonly typeID: number;
  readonly startMs: number;
  readonly endMs: number | null;
  readonly tags: readonly string[];
  readonly transcript: string | undefined;
}

export interface Query {
  readonly devices: readonly number[] | undefined;
  readonly startEpoch: number | undefined;
  readonly endEpoch: number | undefined;
  readonly typeID: number | undefined;
  readonly tags: readonly string[] | undefined;
  readonly searchText: string | undefined;
  readonly count: number | undefined;
  readonly order: string | undefined;
}

/** Half-open ranges overlap; a clip without an end or with length 0 counts at its start. */
export function overlaps({ startMs, endMs }: Pick<ModelClip, 'startMs' | 'endMs'>, from: number, to: number): boolean {
  if (from === to) return false;
  if (endMs === null || endMs === startMs) return from <= startMs && startMs < to;
  return startMs < to && endMs > from;
}

/** The indexes of the clips that the query should return, in order. */
export function expected(clips: readonly (ModelClip & { key: number })[], query: Query): readonly number[] {
  const from = (query.startEpoch ?? -1) * 1000;
  const to = (query.endEpoch ?? 1e9) * 1000;
  const words = (query.searchText ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const direction = query.order?.toLowerCase() === 'asc' ? 1 : -1;
  return clips
    .filter(({ device }) => !query.devices || query.devices.includes(device))
    .filter((clip) => overlaps(clip, from, to))
    .filter(({ typeID }) => query.typeID === undefined || typeID === query.typeID)
    .filter(({ tags }) => !query.tags || tags.some((tag) => query.tags?.includes(tag)))
    .filter(({ transcript }) => words.every((word) => transcript?.toLowerCase().includes(word)))
    .toSorted((a, b) => direction * (a.startMs - b.startMs || a.key - b.key))
    .slice(0, query.count || 100)
    .map(({ key }) => key);
}

const deviceCount = 4;
const tagNames = ['dog', 'rain', 'owl'];
const words = ['north', 'gate', '100%', 'a_b'];

// Few different seconds, so that starts, ends and bounds are often equal.
const second = fc.integer({ min: 0, max: 12 });
const moment = fc.tuple(second, fc.constantFrom(0, 0, 1, 500, 999)).map(([s, ms]) => s * 1000 + ms);

const clip = fc.record({
  device: fc.integer({ min: 0, max: deviceCount - 1 }),
  typeID: fc.constantFrom(0, 0, 1),
  startMs: moment,
  lengthMs: fc.oneof(fc.constantFrom(null, 0, 1, 1000), fc.integer({ min: 0, max: 9000 })),
  tags: fc.subarray(tagNames),
  transcript: fc.option(
    fc.subarray(words).map((some) => some.join(' and ').toUpperCase()),
    { nil: undefined },
  ),
});

export const worlds = fc.uniqueArray(
  clip.map(({ lengthMs, ...rest }): ModelClip => ({
    ...rest,
    endMs: lengthMs === null ? null : rest.startMs + lengthMs,
  })),
  { minLength: 8, maxLength: 40, selector: ({ device, typeID, startMs }) => `${device} ${typeID} ${startMs}` },
);

const rarely = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined, freq: 2 });

export const queries = fc.record({
  devices: fc.option(
    fc.subarray(
      Array.from({ length: deviceCount }, (_, index) => index),
      { minLength: 1 },
    ),
    {
      nil: undefined,
    },
  ),
  startEpoch: fc.option(second, { nil: undefined }),
  endEpoch: fc.option(second, { nil: undefined }),
  typeID: rarely(fc.constantFrom(0, 1, 9)),
  tags: rarely(fc.subarray(tagNames, { minLength: 1 })),
  searchText: rarely(fc.subarray(['NORTH', 'gat', '100%', 'a_b'], { maxLength: 2 }).map((some) => some.join('  '))),
  count: fc.constantFrom(undefined, 0, 1, 2, 5, 1000),
  order: fc.constantFrom(undefined, 'asc', 'DESC', 'Asc'),
});
