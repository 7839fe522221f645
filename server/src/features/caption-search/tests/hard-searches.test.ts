import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { fieldSearches } from './field-searches.ts';
import { hardSearches } from './hard-searches.ts';
import { radioSearches } from './radio-searches.ts';
import type { SearchTable } from './search-table.ts';
import { recordTranscripts } from './search-table.ts';
import { unseenSearches } from './unseen-searches.ts';

const tables: readonly (readonly [string, SearchTable<string>])[] = [
  ['words in other forms', hardSearches],
  ['as people type who listen to calls', fieldSearches],
  ['written after the rules', unseenSearches],
  ['as spelled and abbreviated on the radio', radioSearches],
];

describe.each(tables)('%s', (_, { transcripts, searches }) => {
  let search: Awaited<ReturnType<typeof recordTranscripts>>;
  beforeAll(async () => {
    search = await recordTranscripts(await sharedTestServer(), transcripts);
  });

  test.each(searches)('$searchText', async ({ searchText, exact, similar = [] }) => {
    const expected = { exact: exact.toSorted(), similar: similar.toSorted() };
    for (const order of ['desc', 'asc', 'relevance']) expect(await search(searchText, order), order).toEqual(expected);
  });
});
