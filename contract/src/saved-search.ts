import type { Static } from 'typebox';
import { Type } from 'typebox';
import { CaptionSearch } from './caption-search.ts';
import { operation } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import { DateTime, filledText, Key, modifiedFields, PathKey, shortTextLength, text } from './values.ts';

export const mostSavedSearches = 500;

const SearchName = filledText(shortTextLength, 'At the north gate');

export const SavedSearch = Type.Object(
  {
    key: Type.Optional(Key),
    userID: Type.Optional(Key),
    searchName: Type.Optional(text(shortTextLength)),
    search: Type.Optional(CaptionSearch),
    creationDate: Type.Optional(DateTime),
    ...modifiedFields,
  },
  { title: 'SavedSearch', description: 'A transcript search that a person has saved.' },
);
export type SavedSearch = Static<typeof SavedSearch>;

const CreateSavedSearch = Type.Object(
  { searchName: SearchName, search: CaptionSearch },
  { title: 'CreateSavedSearch' },
);
export type CreateSavedSearch = Static<typeof CreateSavedSearch>;

const SavedSearchUpdate = Type.Object(
  { searchName: Type.Optional(SearchName), search: Type.Optional(CaptionSearch) },
  { title: 'SavedSearchUpdate' },
);
export type SavedSearchUpdate = Static<typeof SavedSearchUpdate>;

const params = { savedSearchID: PathKey };
const acts = [{ record: 'savedsearch', right: 'own', by: 'params.savedSearchID' }] as const;

export const createSavedSearch = operation('savedsearch', {
  method: 'POST',
  path: '/v1/savedsearch',
  headers: onceHeaders,
  summary: 'Save a search',
  description: `Only you can see it. If you have ${mostSavedSearches} already: 409.`,
  access: 'caller',
  acts: [],
  body: CreateSavedSearch,
  answer: SavedSearch,
  errors: [409],
  trail: 'A saved search concerns only its person.',
});

export const listSavedSearches = operation('savedsearch', {
  method: 'GET',
  path: '/v1/savedsearch/list',
  summary: 'List your saved searches, newest first',
  access: 'caller',
  acts: [],
  lists: 'savedsearch',
  answer: Type.Array(SavedSearch),
});

export const getSavedSearch = operation('savedsearch', {
  method: 'GET',
  path: '/v1/savedsearch/{savedSearchID}',
  summary: 'Read a saved search',
  access: 'caller',
  acts,
  params,
  answer: SavedSearch,
});

export const updateSavedSearch = operation('savedsearch', {
  method: 'PUT',
  path: '/v1/savedsearch/{savedSearchID}',
  summary: 'Change a saved search',
  description: 'Sets the fields that are present; missing fields stay unchanged.',
  access: 'caller',
  acts,
  params,
  body: SavedSearchUpdate,
  trail: 'A saved search concerns only its person.',
});

export const deleteSavedSearch = operation('savedsearch', {
  method: 'DELETE',
  path: '/v1/savedsearch/{savedSearchID}',
  summary: 'Delete a saved search',
  access: 'caller',
  acts,
  params,
  trail: 'A saved search concerns only its person.',
});
