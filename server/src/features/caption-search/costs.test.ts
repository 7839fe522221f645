import { describe, expect, test } from 'vitest';
import { requireTerms } from '../caption-index/public.ts';
import { estimateCosts, type Sizes } from './costs.ts';
import type { Search } from './matching.ts';
import { usualLimits } from './matching.ts';

const search: Search = {
  terms: requireTerms('but'),
  scope: { devices: undefined, tagIDs: undefined, talkgroup: undefined, reachMs: 0, fromMs: 0, toMs: 1 },
  slice: { order: 'desc', offset: 0, limit: 20 },
  limits: usualLimits,
};
const many = usualLimits.mostCounted + 1;

/** The costs if so many of 2,000 captions in time order match. */
const costsOf = (found: number, sizes: Sizes) =>
  estimateCosts(search, 'one', { looked: 2_000, found, isWhole: false, certain: found, keys: [] }, sizes);

describe('all devices', () => {
  const sizes = { captions: 1_000_000, deviceShare: 1 };
  test('a common text: a walk', () => {
    const costs = costsOf(1_000, sizes);
    expect(costs.walkLength(many)).toBe(2 * many);
    expect(costs.walk(many)).toBeLessThan(costs.grams(many));
  });

  test('a rare text: the index of grams, never that of devices', () => {
    const costs = costsOf(2, sizes);
    expect(costs.walk(many)).toBeGreaterThan(costs.grams(many));
    expect(costs.isByDevice(many)).toBe(false);
    expect(costs.isByDevice(Infinity)).toBe(false);
  });

  test('a text that was not met: the index of grams', () => {
    const costs = costsOf(0, sizes);
    expect(costs.walkLength(1)).toBe(Infinity);
    expect(costs.walk(1)).toBeGreaterThan(costs.grams(many));
  });
});

describe('a fifth of the captions is of the devices', () => {
  const deviceShare = 0.2;

  test('a text in nearly all captions: a walk', () => {
    const costs = costsOf(390, { captions: 1_000_000, deviceShare });
    expect(costs.walk(many)).toBeLessThan(costs.grams(many));
  });

  test('a text in every fourth: it is counted in no order, without the index entries of other devices', () => {
    const costs = costsOf(100, { captions: 1_000_000, deviceShare });
    expect(costs.count(many)).toBeLessThan(costs.walk(many) / 1.5);
    expect(costs.count(many)).toBeLessThan(costs.grams(many));
  });

  test('a text in every tenth: both indexes, because few of the captions with its grams are of the devices', () => {
    const costs = costsOf(40, { captions: 1_000_000, deviceShare });
    expect(costs.walk(many)).toBeGreaterThan(costs.grams(many));
    expect(costs.isByDevice(many)).toBe(true);
  });

  test('the same text among a hundred million captions: a walk, which does not grow with them', () => {
    const costs = costsOf(40, { captions: 100_000_000, deviceShare });
    expect(costs.walk(many)).toBeLessThan(costs.grams(many));
    expect(costs.isByDevice(many)).toBe(false);
  });

  test('a rare text: only the index of grams', () => {
    const costs = costsOf(1, { captions: 1_000_000, deviceShare });
    expect(costs.walk(many)).toBeGreaterThan(costs.grams(many));
    expect(costs.isByDevice(many)).toBe(false);
  });
});

test('devices without a recent caption', () => {
  const costs = costsOf(0, { captions: 1_000_000, deviceShare: 0 });
  expect(costs.walk(1)).toBe(Infinity);
  expect(costs.grams(many)).toBe(0);
  expect(costs.isByDevice(many)).toBe(false);
});

test('a database that was never analysed', () => {
  const costs = costsOf(100, { captions: 0, deviceShare: 1 });
  expect(costs.grams(many)).toBe(0);
  expect(costs.walkLength(many)).toBe(20 * many);
});

test('the lists of several common words are longer than that of the texts with all of them', () => {
  const three = { ...search, terms: requireTerms('"the" "that" "or"') };
  const first = { looked: 2_000, found: 340, isWhole: false, certain: 340, keys: [] };
  const sizes = { captions: 1_000_000, deviceShare: 1 };
  const [one, together] = [search, three].map((each) => estimateCosts(each, 'one', first, sizes));
  expect(together!.grams(many)).toBeGreaterThan(1.5 * one!.grams(many));
});

test('in a short range of time, all its captions are read rather than those with the text at any time', () => {
  const hour = { ...search, scope: { ...search.scope, reachMs: 10_000_000, toMs: 13_600_000 } };
  const first = {
    looked: 2_000,
    found: 140,
    isWhole: false,
    certain: 140,
    keys: [],
    fromMs: 13_600_000,
    toMs: 13_480_000,
  };
  const costs = estimateCosts(hour, 'one', first, { captions: 1_000_000, deviceShare: 1 });
  expect(costs.walkLength(many)).toBe(60_000);
  expect(costs.count(many)).toBeLessThan(costs.grams(many));
  const ever = estimateCosts(search, 'one', first, { captions: 1_000_000, deviceShare: 1 });
  expect(ever.walkLength(many)).toBeCloseTo(many / 0.07);
  expect(ever.count(many)).toBeGreaterThan(ever.grams(many));
});
