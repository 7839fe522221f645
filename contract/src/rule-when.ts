import type { Static, TProperties } from 'typebox';
import { Type } from 'typebox';
import { stateFields } from './rule-state.ts';
import { Confidence, tagNameLength } from './tag.ts';
import { filledText, searchTextLength, tightText } from './values.ts';

/** What a rule asks of a clip, or of a device. A condition has one kind; which one, the server checks, so that it can say what is wrong. */

export const mostConditions = 100;
export const deepestGroups = 3;

const Bound = Type.Number({ minimum: -100_000, maximum: 100_000, examples: [3] });

const Range = Type.Optional(
  Type.Object(
    { min: Type.Optional(Bound), max: Type.Optional(Bound) },
    { title: 'RuleRange', description: 'Both ends are inclusive; one of them may be missing.' },
  ),
);

const conditionFields = {
  words: Type.Optional(
    Type.String({
      ...filledText(searchTextLength, '"structure fire"'),
      description:
        'Read as the text of a caption search: all of them must be said, in any of the forms that such a search finds, but ' +
        'as whole words. Words in quotes must be said exactly so, one after the other. Similar words, forms of a ' +
        'vocabulary, and words that continue in the next clip do not count.',
    }),
  ),
  tagName: Type.Optional(
    Type.String({
      ...tightText(tagNameLength, 'siren'),
      description: 'A tag of the clip, in any case. Tags that a rule put do not count.',
    }),
  ),
  minConfidence: Type.Optional(
    Type.Number({ ...Confidence, description: 'With `tagName`: the least confidence, in percent; 0 when missing.' }),
  ),
  anySound: Type.Optional(
    Type.Boolean({
      examples: [true],
      description: 'True: the sound is on the server, or was until retention removed it, and is not digital silence.',
    }),
  ),
  speechSeconds: Range,
  lengthSeconds: Range,
  levelDb: Range,
  clippedPercent: Range,
};

const groupFields = <Entries extends TProperties>(title: string, entries: Entries) => {
  const Entry = Type.Object(entries, { title });
  const Entries = Type.Optional(Type.Array(Entry, { maxItems: mostConditions }));
  return { all: Entries, any: Entries, none: Entries };
};

const third = { ...conditionFields, ...groupFields('RuleCondition', conditionFields) };
const second = { ...conditionFields, ...groupFields('RuleInnerGroup', third) };

export const RuleWhen = Type.Object(
  { ...conditionFields, ...stateFields, ...groupFields('RuleGroup', second) },
  {
    title: 'RuleWhen',
    examples: [{ any: [{ words: '"structure fire"' }, { words: '"working fire"' }] }],
    description:
      'One condition, or a group: `all`, `any` or `none` of its entries, which are conditions or groups, at most ' +
      `${deepestGroups} groups inside each other and ${mostConditions} conditions in all. A condition whose fact is not known yet is neither true nor false: ` +
      'only what is known to be true matches, and `none` of something unknown is unknown. `speechSeconds`: in which somebody ' +
      'speaks. `lengthSeconds`: from the start of the clip to its end. `levelDb`: the RMS level of its sound in dBFS. ' +
      '`clippedPercent`: the share of clipped samples. `state` stands alone: a rule is about clips or about devices.',
  },
);
export type RuleWhen = Static<typeof RuleWhen>;
