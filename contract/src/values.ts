import type { Static, TSchema } from 'typebox';
import { Type } from 'typebox';
import { dateTimeFormat } from './date-time.ts';

/** The largest integer that JavaScript represents exactly. The service issues no larger ones and refuses them. */
export const largestInteger = Number.MAX_SAFE_INTEGER;

export const shortTextLength = 200;
export const longTextLength = 4_000;

export const WholeNumber = Type.Integer({ minimum: -largestInteger, maximum: largestInteger });
export const Key = Type.Integer({ minimum: 0, maximum: largestInteger, examples: [1] });
export const Counter = Type.Integer({ minimum: 0, maximum: largestInteger, examples: [0] });

/** The milliseconds within a second. */
export const Milliseconds = Type.Integer({ minimum: 0, maximum: 999, examples: [250] });

/** The last second of the year 9999. */
export const latestEpoch = 253_402_300_799;

/** Whole seconds since 1970-01-01 UTC. */
export const Epoch = Type.Integer({ minimum: 0, maximum: latestEpoch, examples: [1_794_704_400] });

/** Any integer is valid in a path; a key without a record is answered with 404. */
export const PathKey = Type.Integer({
  minimum: -largestInteger,
  maximum: largestInteger,
  examples: [1],
});

export const DateTime = Type.String({
  format: dateTimeFormat,
  maxLength: 40,
  examples: ['2026-11-15T01:10:00.000Z'],
});

export const text = (maxLength: number, example?: string) =>
  Type.String({ maxLength, ...(example === undefined ? {} : { examples: [example] }) });

export const filledText = (maxLength: number, example: string) =>
  Type.String({ minLength: 1, maxLength, examples: [example] });

/** Text without white space at its ends, so that texts that look the same are the same. */
export const tightPattern = String.raw`^(?:\S(?:[\s\S]*\S)?)?$`;
export const tightText = (maxLength: number, example: string) =>
  Type.String({ ...filledText(maxLength, example), pattern: tightPattern });

/** A field that `null` clears. */
export const clearable = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [(schema as { type?: string }).type, 'null'],
  });

export const oneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], examples: [values[0]] });

export const defaultCount = 100;
export const largestCount = 1_000;

/** `count` of a list: missing or 0 means the default. */
export const Count = Type.Integer({
  minimum: 0,
  maximum: largestCount,
  examples: [20],
  description: `How many records at most; missing or 0: ${defaultCount}.`,
});

export const Order = Type.String({
  pattern: '^([aA][sS][cC]|[dD][eE][sS][cC])?$',
  examples: ['desc'],
  description: 'By time, then key: `asc` or `desc`, ignoring case; `desc` when missing or empty.',
});

/** A position in a paged list, from a response. */
export const Cursor = Type.String({
  maxLength: 200,
  description: '`next` or `previous` of a response: continues from there. Missing: from the start of the list.',
});

/** The cursors in a response. */
export const pageCursors = {
  next: Type.Optional(Type.String({ description: 'The cursor of the following page; missing when there is none.' })),
  previous: Type.Optional(
    Type.String({ description: 'The cursor of the previous page; missing at the start of the list.' }),
  ),
};

/** The fields that the specification permits in every record. */
export const modifiedFields = {
  createdBy: Type.Optional(Key),
  lastModifiedDate: Type.Optional(DateTime),
  lastModifiedBy: Type.Optional(Key),
};

export const searchTextLength = 1_000;

export const TimeZone = Type.String({
  format: 'time-zone',
  maxLength: 64,
  examples: ['Europe/Zurich'],
  description: 'A time zone of the IANA database.',
});

export const longestIdList = 1_000;

/** Ids in a filter: those that the caller may not read match nothing. */
export const DeviceIDList = Type.Array(Key, {
  maxItems: longestIdList,
  description: 'Missing or empty: every device that you may read.',
});

/** Half-open: start ≤ t < end. */
export const epochRange = {
  startEpoch: Type.Optional(Type.Integer({ ...Epoch, examples: [1_794_700_800] })),
  endEpoch: Type.Optional(Type.Integer({ ...Epoch, examples: [1_794_787_200] })),
};
