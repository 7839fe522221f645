import { expect, test } from 'vitest';
import { groupOf } from '@earshot/contract/rule-condition';
import { butNot, depthOf, isFilled, joined, withEntry, searchWordsOf } from './condition.ts';

const [fire, mill, test1] = [{ words: 'fire' }, { words: 'mill' }, { words: 'test' }];

test('conditions are joined to what is there: the same word grows the group, another one makes a group around it', () => {
  expect(joined(fire, 'any', mill)).toEqual({ any: [fire, mill] });
  expect(joined({ any: [fire, mill] }, 'any', test1)).toEqual({ any: [fire, mill, test1] });
  expect(joined({ any: [fire, mill] }, 'all', test1)).toEqual({ all: [{ any: [fire, mill] }, test1] });
});

test('"but not" is one group, which grows', () => {
  const once = butNot(fire, test1);
  expect(once).toEqual({ all: [fire, { none: [test1] }] });
  expect(butNot(once, mill)).toEqual({ all: [fire, { none: [test1, mill] }] });
});

test('a group whose entry is removed is no group any more, when one is left', () => {
  const group = groupOf({ any: [fire, mill] })!;
  expect(withEntry(group, 0, undefined)).toEqual(mill);
  expect(withEntry(group, 0, test1)).toEqual({ any: [test1, mill] });
  expect(withEntry(groupOf({ none: [fire] })!, 0, undefined)).toBeUndefined();
  expect(withEntry(groupOf({ none: [fire, mill] })!, 0, undefined)).toEqual({ none: [mill] });
});

test('depth, words and whether there is something to try', () => {
  const deep = { all: [fire, { any: [mill, { none: [test1] }] }] };
  expect([depthOf(fire), depthOf(deep)]).toEqual([0, 3]);
  expect(searchWordsOf(deep)).toBe('fire mill');
  expect(isFilled(deep)).toBe(true);
  expect(isFilled({ all: [fire, { words: ' " ' }] })).toBe(false);
  expect([{ levelDb: {} }, { levelDb: { max: -3 } }, { tagName: '' }, { anySound: true }].map(isFilled)).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
