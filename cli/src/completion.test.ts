import { expect, test } from 'vitest';
import { program } from './commands.ts';
import { completionScript, shells, suggestWords } from './completion.ts';

const suggest = (...words: string[]) =>
  suggestWords(program, words, async () => ['recorder-17', 'recorder-18', 'tower']);

test.each([
  [['dev'], ['devices']],
  [
    ['events', ''],
    ['list', 'send', 'watch', 'cancel'],
  ],
  [['events', 'list', '--st'], ['--state']],
  [['events', 'list', '--state', 'f'], ['failed']],
  [
    ['clips', 'rec'],
    ['recorder-17', 'recorder-18'],
  ],
  [['clips', 'tower', 't'], ['tower']],
  [['search', 'x', '-d', 't'], ['tower']],
  [['upload', ''], [':file']],
  [['download', '--output', ''], [':folder']],
  [['completion', 'z'], ['zsh']],
  [['__'], []],
  [['nosuch', ''], []],
])('after %j come %j', async (words, expected) => {
  expect(await suggest(...words)).toEqual(expected);
});

test('without a server there are no devices, and no error', async () => {
  expect(await suggestWords(program, ['clips', ''], () => Promise.reject(new Error('away')))).toEqual([]);
});

test.each(shells)('the script of %s asks the program', (shell) => {
  expect(completionScript(shell)).toContain('earshot __complete');
});
