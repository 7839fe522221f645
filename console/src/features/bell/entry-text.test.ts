import { expect, test } from 'vitest';
import { entryAddress, entryText } from './entry-text.ts';

test('an alert is told by its rule and device, and leads to the alert', () => {
  const entry = { kind: 'alert' as const, ruleName: 'Fire', deviceName: 'North gate', alertID: 7, ruleID: 3 };
  expect([entryText(entry), entryAddress(entry)]).toEqual(['Fire: North gate', '/alerts/7']);
  expect(entryText({ ...entry, deviceName: undefined } as never)).toBe('Fire');
});

test('what was not done says why', () => {
  const refused = { kind: 'refused' as const, ruleName: 'Fire', reason: 'lock: the device is not yours', ruleID: 3 };
  expect([entryText(refused), entryAddress(refused)]).toEqual(['Fire: lock: the device is not yours', '/rules/3']);
  expect(entryText({ kind: 'limit', ruleName: 'Fire' })).toContain('as many alerts of this hour as it may');
  expect(entryText({ kind: 'tooOld', count: 1 })).toBe('An alert was not acted on: its sound was too old.');
  expect(entryText({ kind: 'tooOld', count: 3 })).toBe('3 alerts were not acted on: their sound was too old.');
  expect(entryAddress({ kind: 'tooOld', ruleID: 3 })).toBe('/alerts?state=all');
});
