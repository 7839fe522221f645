import { execPath } from 'node:process';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';

import { Child, cleanReason } from './child.ts';

const run = (script: string, signal?: AbortSignal): Child =>
  new Child({ program: execPath, args: ['-e', script], signal });

test('a program gets an empty environment and a low priority', async () => {
  const child = run('console.log(Object.keys(process.env).join(), require("os").getPriority())');
  expect((await buffer(child.output())).toString().trim()).toBe('LC_ALL 10');
});

test('output before a failure is returned, then the reason', async () => {
  const child = run(
    'process.stdout.write("sound"); console.error("[wav @ 0x55aa] /data/x: broken"); process.exitCode = 3',
  );
  const chunks = child.output();
  expect((await chunks.next()).value?.toString()).toBe('sound');
  await expect(chunks.next()).rejects.toThrow('The sound could not be processed (broken)');
  expect(child.hasExitCode).toBe(true);
});

test('a program that uses too much memory is killed', async () => {
  const child = run('const all = []; setInterval(() => all.push(Buffer.alloc(2 ** 26, 1)), 10)');
  await expect(child.finish()).rejects.toThrow('Reading the sound needs more memory than permitted');
  expect(child.hasExitCode).toBe(false);
});

test.each([
  ['processor time', 'for (;;);', { cpuMs: 300, wallMs: 1e9 }],
  ['time', 'setInterval(() => {}, 1000)', { cpuMs: 300, wallMs: 600 }],
])('a program that uses too much %s is killed', async (_what, script, limits) => {
  const child = new Child({ program: execPath, args: ['-e', script], limits });
  await expect(child.finish()).rejects.toMatchObject({ code: 'too-costly' });
  expect(child.hasExitCode).toBe(false);
});

test('a program that cannot be started is reported', async () => {
  const child = new Child({ program: '/nowhere/ffmpeg', args: [], cwd: '/' });
  await expect(buffer(child.output())).rejects.toThrow('could not be started');
});

test('an aborted program is killed, and an aborted signal starts none', async () => {
  const controller = new AbortController();
  const child = run('setInterval(() => {}, 1000)', controller.signal);
  const ended = expect(child.finish()).rejects.toMatchObject({ name: 'AbortError' });
  controller.abort();
  await ended;
  expect(() => run('', controller.signal)).toThrow('aborted');
});

test('writing to a program that no longer reads its input is an error', async () => {
  const child = new Child({ program: execPath, args: ['-e', 'process.exit(4)'], input: 'pipe' });
  const writeOn = async (): Promise<void> => {
    for (;;) await child.write(Buffer.alloc(65_536));
  };
  await expect(writeOn()).rejects.toThrow('The sound could not be processed');
});

test.each([
  ['[mp3 @ 0x55d2] Header missing\n', 'The sound could not be processed (Header missing)'],
  ['file:/srv/data/clip: Invalid data found', 'The sound could not be processed (Invalid data found)'],
  ['', 'The sound could not be processed'],
])('%j becomes a sentence without paths', (errors, sentence) => {
  expect(cleanReason(errors)).toBe(sentence);
});
