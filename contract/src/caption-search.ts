import type { Static } from 'typebox';
import { Type } from 'typebox';
import { audioClipFields } from './audio-clip.ts';
import { TagIDs } from './audio-clip-list.ts';
import { operation, readsOnly } from './operation.ts';
import { RadioCall, TalkgroupNumber } from './radio.ts';
import { Tag } from './tag.ts';
import { Counter, DeviceIDList, epochRange, Key, searchTextLength, shortTextLength, text, TimeZone } from './values.ts';

/** Totals are exact up to this number and do not grow beyond it; no later results can be requested. */
export const mostCounted = 10_000;
export const defaultLimit = 20;
export const largestLimit = 100;
/** If there are more than `mostCounted` matches, this number of the newest is sorted by relevance. */
export const mostRanked = 200;
/** This many clips that match only by similar words are found. */
export const mostSimilarHits = 200;
export const mostMatches = 1_000;
export const longestFacet = 100;
export const mostDays = 366;

const meaning =
  'Every clip whose transcript contains the text: ignoring case and accents, also as a part of a word. ' +
  'Several words must all occur, anywhere; words `"in quotes"`, or joined by a sign (`e-mail`), ' +
  'must occur as that sequence. Punctuation is ignored, so a text without any letter or digit is refused. ' +
  'Outside quotes, numbers in words and digits (`911`, `nine one one`), codes (`K9`, `k nine`), plural and singular, ' +
  'usual abbreviations (`Dr.`), words with and without a hyphen, and what is said otherwise on the radio (`ABC123`, ' +
  '`Adam Boy Charles 123`; `I-95`, `interstate 95`; `27L`, `runway two seven left`) match each other. ' +
  'A phrase that begins at the end of a clip and continues in the next clip of the device, ' +
  'within 2 seconds, follows after all other matches (`nextAudioClipID`). Last come clips that match only by words that ' +
  'sound or are spelled alike, or by other forms of the searched words in a vocabulary of the installation or of a ' +
  `device group that the caller may read (\`isSimilar\`), at most ${mostSimilarHits}, in the same order. ` +
  `If the text itself occurs in more than ${mostCounted} clips, only these are found.`;

const SearchText = Type.String({
  minLength: 1,
  maxLength: searchTextLength,
  examples: ['north gate'],
  description: 'The text to search for.',
});

const searchFields = {
  searchText: SearchText,
  deviceIDList: Type.Optional(DeviceIDList),
  tagIDList: Type.Optional(TagIDs),
  talkgroup: Type.Optional(
    Type.Integer({ ...TalkgroupNumber, examples: [], description: 'Only radio calls of this talkgroup.' }),
  ),
  wholeWords: Type.Optional(
    Type.Boolean({
      description:
        'If true, only whole words match, as in the words of a rule: no parts of words, no similar words, no forms from ' +
        'a vocabulary, and no phrase that continues in the next clip. Outside quotes, other forms match, also as whole words.',
    }),
  ),
  ...epochRange,
};

export const CaptionSearch = Type.Object(searchFields, { title: 'CaptionSearch' });
export type CaptionSearch = Static<typeof CaptionSearch>;

const CaptionMatch = Type.Object(
  {
    startMs: Type.Integer({ ...Counter, description: 'From the start of the clip.' }),
    endMs: Counter,
    word: Type.String({ description: 'As written in the transcript.' }),
  },
  { title: 'CaptionMatch' },
);
export type CaptionMatch = Static<typeof CaptionMatch>;

const CaptionHit = Type.Object(
  {
    ...audioClipFields,
    deviceName: Type.Optional(text(shortTextLength)),
    tagList: Type.Array(Tag),
    captionID: Type.Optional(Key),
    transcript: Type.Optional(Type.String()),
    radioCall: Type.Optional(RadioCall),
    snippet: Type.String({ description: 'Plain text around the first match, cut at words, with … where it was cut.' }),
    matches: Type.Array(CaptionMatch, {
      description: `The first ${mostMatches} words that matched, with their times; empty without word times.`,
    }),
    nextAudioClipID: Type.Optional({
      ...Key,
      description: 'If the match continues in the next clip of the device: that clip. The snippet continues there too.',
    }),
    isSimilar: Type.Optional(
      Type.Boolean({ description: 'True if the clip matches only by similar words, or by forms from a vocabulary.' }),
    ),
    similarWords: Type.Optional(
      Type.Array(Type.String(), {
        examples: [['ambulance']],
        description: 'If `isSimilar`: the similar words that matched, in lower case and without accents.',
      }),
    ),
    vocabularyWords: Type.Optional(
      Type.Array(Type.String(), {
        examples: [['key side']],
        description:
          'If `isSimilar`: the other forms of searched words, from a vocabulary that the caller may read, that matched.',
      }),
    ),
  },
  { title: 'CaptionHit' },
);
export type CaptionHit = Static<typeof CaptionHit>;

const CaptionSearchResults = Type.Object(
  {
    total: Type.Integer({
      ...Counter,
      maximum: mostCounted,
      description: `All results. Exact up to ${mostCounted}; more is not counted.`,
    }),
    similarTotal: Type.Optional(
      Type.Integer({
        ...Counter,
        maximum: mostSimilarHits,
        description: 'How many of them match only by similar words. Missing if none.',
      }),
    ),
    offset: Counter,
    limit: Counter,
    results: Type.Array(CaptionHit),
  },
  { title: 'CaptionSearchResults' },
);
export type CaptionSearchResults = Static<typeof CaptionSearchResults>;

const SearchOrder = Type.String({
  pattern: '^([aA][sS][cC]|[dD][eE][sS][cC]|[rR][eE][lL][eE][vV][aA][nN][cC][eE])?$',
  examples: ['desc'],
  description:
    'By time, then key: `asc` or `desc`; or `relevance`: whole words before parts of words, the words as typed before ' +
    'other forms of them, more matches before fewer, ' +
    'words in the order of the search before others, short transcripts before long ones, then newer ones. ' +
    `Of more than ${mostCounted} matches the newest ${mostRanked} are sorted this way, and the others follow by time. ` +
    'Case is ignored; `desc` when missing or empty.',
});

export const searchCaptions = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/list/search/caption',
  summary: 'Search the transcripts of clips',
  description: meaning,
  access: 'caller',
  acts: [],
  query: {
    order: Type.Optional(SearchOrder),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: mostCounted, examples: [0], description: 'Matches to skip.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: largestLimit,
        examples: [defaultLimit],
        description: `${defaultLimit} when missing.`,
      }),
    ),
  },
  body: CaptionSearch,
  answer: CaptionSearchResults,
  trail: readsOnly,
});

const CaptionSearchFacetsFilter = Type.Object(
  {
    ...searchFields,
    timeZone: Type.Optional(Type.String({ ...TimeZone, description: 'Of the days; UTC when missing.' })),
  },
  { title: 'CaptionSearchFacetsFilter' },
);
export type CaptionSearchFacetsFilter = Static<typeof CaptionSearchFacetsFilter>;

const FoundCount = Type.Integer({ ...Counter, description: 'Clips that match.' });

const CaptionSearchFacets = Type.Object(
  {
    total: Type.Integer({ ...Counter, maximum: mostCounted }),
    isComplete: Type.Boolean({
      description: `Whether every match was counted; of more than ${mostCounted}, only the newest ${mostCounted} are counted.`,
    }),
    deviceList: Type.Array(
      Type.Object(
        { deviceID: Key, deviceName: Type.Optional(text(shortTextLength)), count: FoundCount },
        { title: 'DeviceFacet' },
      ),
      { description: `The ${longestFacet} devices with the most matches, most first.` },
    ),
    dayList: Type.Array(
      Type.Object(
        { day: Type.String({ format: 'date', examples: ['2026-11-15'] }), count: FoundCount },
        { title: 'DayFacet' },
      ),
      { description: `The newest ${mostDays} days on which a clip that matches begins, newest first.` },
    ),
    tagList: Type.Array(
      Type.Object(
        { tagID: Key, tagName: Type.Optional(text(shortTextLength)), count: FoundCount },
        { title: 'TagFacet' },
      ),
      { description: `The ${longestFacet} most frequent tags of the matching clips, most frequent first.` },
    ),
  },
  { title: 'CaptionSearchFacets' },
);
export type CaptionSearchFacets = Static<typeof CaptionSearchFacets>;

export const searchCaptionFacets = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/list/search/caption/facets',
  summary: 'Count the matches of a search by device, day and tag',
  description: `${meaning} Counts the same clips as the search finds.`,
  access: 'caller',
  acts: [],
  body: CaptionSearchFacetsFilter,
  answer: CaptionSearchFacets,
  trail: readsOnly,
});
