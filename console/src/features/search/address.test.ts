import { expect, test } from 'vitest';
import { addressOf, bodyOf, dayOf, dayRange, daysUpTo, readAddress, writeQuery } from './address.ts';

test('a search survives a round trip through the address', () => {
  const search = {
    searchText: '"north gate" & more',
    wholeWords: true,
    deviceIDList: [3, 7],
    tagIDList: [2],
    talkgroup: 4521,
    startEpoch: 1_794_700_800,
    endEpoch: 1_794_787_199,
  };
  const read = readAddress(new URL(addressOf(search), 'http://earshot').searchParams);
  expect(bodyOf(read)).toEqual(search);
  expect(writeQuery({ ...search, order: 'asc' })['order']).toBe('asc');
});

test('invalid parts of an address are ignored', () => {
  const query = new URLSearchParams('q=a&device=x,-1,0,5,5,1.5&tag=,&talkgroup=0&from=soon&to=1e99&order=sideways');
  expect(readAddress(query)).toEqual({ searchText: 'a', order: 'desc', deviceIDList: [5] });
});

test('a day is whole, and follows the one before it', () => {
  const range = dayRange('2026-03-29');
  expect(dayOf(range?.startEpoch ?? 0)).toBe('2026-03-29');
  expect(dayOf(range?.endEpoch ?? 0)).toBe('2026-03-29');
  expect(dayOf((range?.endEpoch ?? 0) + 1)).toBe('2026-03-30');
  expect(daysUpTo('2026-03-01', 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  expect(dayRange('')).toBeUndefined();
});
