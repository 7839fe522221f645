import { Type } from 'typebox';
import { Counter } from './values.ts';

/** What lists have in common that are sorted by one of several values, and counted. */

/** Matches are counted to this number. */
export const mostRowsCounted = 10_000;

export const SortDirection = Type.String({
  pattern: '^([aA][sS][cC]|[dD][eE][sS][cC])?$',
  examples: ['asc'],
  description: '`asc` or `desc`, ignoring case; `asc` when missing or empty.',
});

/** It contains the value by which the list is sorted, which may be a long name. */
export const SortedCursor = Type.String({
  maxLength: 4_000,
  description: '`next` of a response to the same request: continues from there. Missing: from the start of the list.',
});

/** In every response. */
export const pageFields = {
  total: Type.Integer({
    ...Counter,
    description: `How many records match: exact to ${mostRowsCounted.toLocaleString('en')}, and no more than that.`,
  }),
  isExact: Type.Boolean({ examples: [true], description: 'False: there are more than `total`.' }),
  next: Type.Optional(Type.String({ description: 'The cursor of the following page; missing when there is none.' })),
};
