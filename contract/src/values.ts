import type { Static, TSchema } from 'typebox';
import { Type } from 'typebox';
import { dateTimeFormat } from './date-time.ts';

/** The service issues no integer beyond this and refuses larger ones: JavaScript's exact range. */
export const largestInteger = Number.MAX_SAFE_INTEGER;

export const shortTextLength = 200;
export const longTextLength = 4_000;

export const WholeNumber = Type.Integer({ minimum: -largestInteger, maximum: largestInteger });
export const Key = Type.Integer({ minimum: 0, maximum: largestInteger, examples: [1] });
export const Counter = Type.Integer({ minimum: 0, maximum: largestInteger, examples: [0] });

/** In a path any integer is well-formed; one that no record has is simply not found. */
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
  pattern: '^([aA][sS][cC]|[dD][eE][sS][cC])$',
  examples: ['desc'],
  description: 'By time, then key: `asc` or `desc`, in any case; `desc` when missing.',
});

/** The columns that the specification lets every record carry. */
export const modifiedFields = {
  createdBy: Type.Optional(Key),
  lastModifiedDate: Type.Optional(DateTime),
  lastModifiedBy: Type.Optional(Key),
};
