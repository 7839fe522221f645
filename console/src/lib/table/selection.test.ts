import { expect, test } from 'vitest';
import { extendTo, noSelection, selectAll, toggleRow } from './selection.ts';

const order = [9, 7, 5, 3, 1];

test('a row is selected and deselected; a range extends from the last one, in either direction', () => {
  const one = toggleRow(noSelection, order, 5, false);
  expect([...one.keys]).toEqual([5]);
  expect(toggleRow(one, order, 5, false).keys.size).toBe(0);
  expect([...toggleRow(one, order, 1, true).keys]).toEqual([5, 3, 1]);
  expect([...toggleRow(one, order, 9, true).keys].toSorted((a, b) => a - b)).toEqual([5, 7, 9]);
  expect([...toggleRow(selectAll([9]), order, 3, true).keys]).toEqual([9, 3]);
});

test('moving with Shift extends, and moving back takes it back', () => {
  const down = extendTo(extendTo(noSelection, 9, 7), 7, 5);
  expect([...down.keys]).toEqual([9, 7, 5]);
  expect([...extendTo(down, 5, 7).keys]).toEqual([9, 7]);
});
