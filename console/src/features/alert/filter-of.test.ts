import { expect, test } from 'vitest';
import { alertFilterOf } from './filter-of.ts';

const read = (text: string) => alertFilterOf(new URLSearchParams(text));

test('open alerts are shown first', () => {
  expect(read('')).toEqual({ state: 'open' });
});

test('the address names state, severity, rule, device and person', () => {
  expect(read('state=closed&severity=critical&rule=3&device=12&person=7')).toEqual({
    state: 'closed',
    severity: 'critical',
    ruleID: 3,
    deviceID: 12,
    assigneeID: 7,
  });
});

test('all states, and what cannot be read is left out', () => {
  expect(read('state=all&severity=loud&rule=-1&device=x&person=1.5')).toEqual({});
  expect(read('state=shut')).toEqual({ state: 'open' });
});
