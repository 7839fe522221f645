import { expect, test } from 'vitest';
import { canShow, ruleDraftOf, emptyRule, ruleOfSearch, updateOf, withWhen } from './draft.ts';
import { problemAt, problemsElsewhere, problemsWithin } from './field-problem.ts';
import { watchAddress, watchedSearchOf } from './watch-address.ts';
import { termFormsOf } from './word-forms.ts';

test('"Watch this search" makes a rule of its words, devices, tags and talkgroup', () => {
  const search = { searchText: 'old truck', deviceIDList: [3, 4], tagIDList: [7, 8], talkgroup: 12, startEpoch: 5 };
  const [, query = ''] = watchAddress(search).split('?');
  const { startEpoch: _days, ...watched } = search;
  expect(watchedSearchOf(new URLSearchParams(query))).toEqual(watched);
  expect(ruleOfSearch(watched, ['siren', 'horn'])).toMatchObject({
    ruleName: 'old truck',
    where: { deviceIDs: [3, 4], talkgroups: [{ talkgroup: 12 }] },
    when: { all: [{ words: 'old truck' }, { any: [{ tagName: 'siren' }, { tagName: 'horn' }] }] },
  });
  expect(ruleOfSearch({ searchText: 'truck' }, [])).toEqual({
    ...emptyRule,
    ruleName: 'truck',
    when: { words: 'truck' },
  });
  expect(watchedSearchOf(new URLSearchParams(''))).toBeUndefined();
});

test('a draft has what a person may change, and an update clears what was taken out', () => {
  const stored = { key: 3, userID: 4, version: 2, ruleName: 'Fire', when: { words: 'fire' }, creationDate: '2026' };
  const draft = ruleDraftOf(stored);
  expect(draft).toEqual({ ruleName: 'Fire', when: { words: 'fire' } });
  expect(updateOf(draft, 2)).toMatchObject({ version: 2, ruleName: 'Fire', where: null, atLeast: null, actions: null });
});

test('the sentence shows every rule of this version, and no part that it does not know', () => {
  const shown = {
    ...emptyRule,
    when: { all: [{ words: 'a' }, { any: [{ tagName: 'b', minConfidence: 3 }, { none: [{ anySound: true }] }] }] },
  };
  expect(canShow(shown)).toBe(true);
  expect(canShow({ ...emptyRule, when: { state: 'lowBattery', belowPercent: 30 }, forSeconds: 60 })).toBe(true);
  for (const other of [
    { ...emptyRule, forSeconds: 30 },
    { ...emptyRule, when: { state: 'offline', belowPercent: 30 } },
    { ...emptyRule, when: { state: 'asleep' } },
    { ...emptyRule, when: { state: 'offline' }, atLeast: { count: 2, withinSeconds: 60 } },
    { ...emptyRule, when: { words: 'a', tagName: 'b' } },
    { ...emptyRule, when: { words: 'a', minConfidence: 3 } },
    { ...emptyRule, when: undefined },
    { ...emptyRule, where: { stationIDs: [1] } },
    { ...emptyRule, actions: [{ action: 'callMe' }] },
  ])
    expect(canShow(other as never)).toBe(false);
});

test('a rule that becomes one about a state, or about clips again, keeps what both kinds have', () => {
  const counted = { ...emptyRule, ruleName: 'Mill', atLeast: { count: 2, withinSeconds: 60 } };
  const ofState = withWhen(counted, { state: 'offline' });
  expect(ofState).toEqual({ ...emptyRule, ruleName: 'Mill', when: { state: 'offline' } });
  expect(withWhen({ ...ofState, forSeconds: 60 }, { state: 'fullDisk' })).toMatchObject({ forSeconds: 60 });
  expect(withWhen({ ...ofState, forSeconds: 60 }, { words: 'fire' })).toEqual({
    ...emptyRule,
    ruleName: 'Mill',
    when: { words: 'fire' },
  });
});

test('a problem stands at its place', () => {
  const all = [
    { path: 'when.any[1].words', message: 'must contain a letter or a digit' },
    { path: 'when.any[10].words', message: 'must not be empty' },
    { path: 'timeZone', message: 'is unknown' },
  ];
  expect(problemAt(all, 'when.any[1].words')).toBe('Must contain a letter or a digit.');
  expect(problemAt(all, 'when.any[1]')).toBeUndefined();
  expect(problemsWithin(all, 'when.any[1]')).toHaveLength(1);
  expect(problemsWithin(all, 'when.any')).toHaveLength(2);
  expect(problemsElsewhere(all)).toEqual(['TimeZone is unknown.']);
});

test('the forms of a word are those that the server compares', () => {
  expect(termFormsOf('truck "old mill"')).toEqual([
    { typed: 'truck', isQuoted: false, forms: ['trucks'], isSplit: true, hasMore: false },
    { typed: 'old mill', isQuoted: true, forms: [], isSplit: false, hasMore: false },
  ]);
  expect(termFormsOf('K9')[0]).toMatchObject({ hasMore: true });
});
