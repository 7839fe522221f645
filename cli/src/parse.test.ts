import { expect, test } from 'vitest';
import { defineCommand } from './command.ts';
import { formatHelp } from './help.ts';
import { createPaint } from './paint.ts';
import { parseWords } from './parse.ts';

const now = Date.UTC(2026, 10, 16, 12);
const command = defineCommand({
  name: 'probe',
  summary: 'Try the options',
  operands: [
    { name: 'KIND', choices: ['a', 'b'], help: 'a or b' },
    { name: 'FILE', isOptional: true, isRepeated: true, help: 'files' },
  ],
  options: {
    deep: { kind: 'flag', short: 'D', help: 'go deep' },
    talkGroup: { kind: 'integer', short: 't', least: 1, most: 9, value: 'N', help: 'a number' },
    since: { kind: 'time', value: 'TIME', help: 'from then on' },
    tag: { kind: 'text', value: 'TAG', isRepeated: true, help: 'a tag' },
    order: { kind: 'text', value: 'ORDER', choices: ['asc', 'desc'], fallback: 'desc', help: 'the order' },
    ratio: { kind: 'number', value: 'X', fallback: 0.5, help: 'a ratio' },
  },
  examples: [{ line: 'earshot probe a', text: 'just a' }],
  run: async () => {},
});

test('options and operands are read in any order', () => {
  const { values, operands } = parseWords(
    command,
    ['a', '-D', '--talk-group=3', 'x', '--tag', 'one', 'y', '--tag', 'two', '--', '--z'],
    now,
  );
  expect(operands).toEqual(['a', 'x', 'y', '--z']);
  expect(values).toMatchObject({
    deep: true,
    talkGroup: 3,
    tag: ['one', 'two'],
    order: 'desc',
    ratio: 0.5,
    json: false,
  });
  expect(parseWords(command, ['b'], now).values).toMatchObject({
    deep: false,
    talkGroup: undefined,
    since: undefined,
    tag: [],
  });
});

test.each([
  ['2h', now - 7_200_000],
  ['2026-11-15T08:30:00Z', Date.UTC(2026, 10, 15, 8, 30)],
  ['2026-11-15T08:30+01:00', Date.UTC(2026, 10, 15, 7, 30)],
  ['2026-11-15', new Date(2026, 10, 15).getTime()],
  ['yesterday', new Date(new Date(now).getFullYear(), 10, new Date(now).getDate() - 1).getTime()],
])('the time %s is read', (text, ms) => {
  expect(parseWords(command, ['a', '--since', text], now).values['since']).toBe(ms);
});

test.each([
  [[], 'KIND is missing: a or b.'],
  [['c'], 'KIND must be one of a, b, not “c”.'],
  [['a', '--talk-group', '10'], '--talk-group must be a whole number from 1 to 9, not “10”.'],
  [['a', '--talk-group', '1.5'], '--talk-group must be a whole number from 1 to 9, not “1.5”.'],
  [['a', '--talkgroup', '1'], 'There is no option --talkgroup. Did you mean --talk-group?'],
  [['a', '--since', 'soon'], '--since must be a date or time, not “soon”.'],
  [['a', '--since', '2026-13-45'], '--since must be a date or time'],
  [['a', '--order', 'up'], '--order must be one of asc, desc, not “up”.'],
  [['a', '--tag'], '--tag needs a value: --tag TAG.'],
  [['a', '--deep=yes'], '--deep takes no value.'],
])('%j is refused with the option and what to do', (words, message) => {
  expect(() => parseWords(command, words, now)).toThrow(message);
});

test('help is made from the declaration and fits the terminal', () => {
  const help = formatHelp(command, ['earshot', 'probe'], 60, createPaint({ env: {} }, {}));
  expect(help).toContain('  earshot probe [OPTIONS] KIND [FILE …]');
  expect(help).toContain('  # just a\n  earshot probe a');
  expect(help).toMatch(/ {2}-t, --talk-group N +a number/);
  expect(help).toContain('the order: asc, desc (desc when');
  for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
});
