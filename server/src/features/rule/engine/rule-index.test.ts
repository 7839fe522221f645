import { comparable, readWords } from '@earshot/contract/words/public';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { requireDefinition } from '../check/check-rule.ts';
import { judgeClip } from '../core/judge.ts';
import { indexRules, toEngineRule } from './rule-index.ts';

const words = 'fire fires he re here h 911 nine one k 9 k9 e mail email july 4 unit 7 boxes box gate the she'.split(
  ' ',
);
const said = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 });
const text = fc
  .tuple(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([some, isQuoted]) => (isQuoted ? `"${some.join(' ')}"` : some.join(' ')));
const condition = text.map((asked) => ({ words: asked }));
const when = fc.oneof(
  condition,
  fc.array(condition, { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
  fc.array(condition, { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
);
const seed = Number(process.env['INDEX_SEED'] ?? 20_261_119);

test('the index leaves out no rule that a clip satisfies', () => {
  let matches = 0;
  fc.assert(
    fc.property(fc.array(when, { minLength: 1, maxLength: 30 }), fc.array(said, { maxLength: 20 }), (given, clips) => {
      const rules = given.map((each, key) =>
        toEngineRule({ key, userID: 1, version: 1, definition: requireDefinition({ when: each }) }),
      );
      const index = indexRules(rules);
      for (const [key, spoken] of clips.entries()) {
        const facts = {
          key,
          deviceID: 1,
          startMs: 0,
          endMs: 1,
          tags: new Map<string, number>(),
          isLabelled: false,
          hadSound: false,
          isSilent: undefined,
          speechSeconds: undefined,
          levelDb: undefined,
          clippedPercent: undefined,
          call: undefined,
          timeZone: undefined,
          text: comparable(readWords(spoken.join(' '))),
        };
        const found = new Set(index.find(facts, () => true));
        const satisfied = rules.filter((rule) => judgeClip(rule, facts, new Map()) === true);
        matches += satisfied.length;
        expect(satisfied.filter((rule) => !found.has(rule)).map((rule) => rule.definition.when)).toEqual([]);
      }
    }),
    { seed, numRuns: 400 },
  );
  expect(matches).toBeGreaterThan(500);
});
