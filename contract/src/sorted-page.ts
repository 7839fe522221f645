import { Type } from 'typebox';
import { Count, Counter, oneOf, searchTextLength } from './values.ts';

/** What lists have in common that are sorted by one of several values, and counted. */

/** Matches are counted to this number. */
export const mostRowsCounted = 10_000;

const SortDirection = Type.String({
  pattern: '^([aA][sS][cC]|[dD][eE][sS][cC])?$',
  examples: ['asc'],
  description: '`asc` or `desc`, ignoring case; `asc` when missing or empty.',
});

/** It contains the value by which the list is sorted, which may be a long name. */
const SortedCursor = Type.String({
  maxLength: 4_000,
  description: '`next` of a response to the same request: continues from there. Missing: from the start of the list.',
});

/** In every request. Sorted by the first of these when none is named. */
export const pageRequest = <const Sorts extends readonly [string, ...string[]]>(sorts: Sorts, meaning = '') => ({
  sortBy: Type.Optional(
    Type.Unsafe<Sorts[number]>({
      ...oneOf(...sorts),
      description: `By this, then by key; \`${sorts[0]}\` when missing.${meaning && ` ${meaning}`}`,
    }),
  ),
  order: Type.Optional(SortDirection),
  count: Type.Optional(Count),
  cursor: Type.Optional(SortedCursor),
});

/** `which`: `whose name contains this text`. */
export const searchField = (which: string) =>
  Type.Optional(Type.String({ maxLength: searchTextLength, examples: [], description: `Only ${which}, in any case.` }));

/** In every response. */
export const pageFields = {
  total: Type.Integer({
    ...Counter,
    description: `How many records match: exact to ${mostRowsCounted.toLocaleString('en')}, and no more than that.`,
  }),
  isExact: Type.Boolean({ examples: [true], description: 'False: there are more than `total`.' }),
  next: Type.Optional(Type.String({ description: 'The cursor of the following page; missing when there is none.' })),
};

/** The last sentences of the description of every such operation. */
export const pageManner = 'Follow `next` until it is missing, with the same filters and order.';
