import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClassifier } from '@earshot/server/platform/listening/labels/classifier';
import { readDataset } from './dataset.ts';
import { creditOf, replaceFigures, writeAttribution } from './documents.ts';
import type { Example } from './examples.ts';
import { listClasses } from './examples.ts';
import { holdOut } from './held-out.ts';
import { parseOtherSounds, readOtherList } from './other-sounds.ts';
import { train } from './train.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-esc50-'));
beforeAll(() => {
  mkdirSync(join(folder, 'meta'));
  const names = ['1-10-A-0', '2-20-A-0', '3-30-A-10', '4-40-A-10', '5-50-A-10'];
  const rows = names.map((name) => `${name}.wav,${name[0]},0,${name.endsWith('-0') ? 'dog' : 'rain'},True,1,A`);
  writeFileSync(
    join(folder, 'meta', 'esc50.csv'),
    `filename,fold,target,category,esc10,src_file,take\n${rows.join('\n')}\n`,
  );
  const line = (name: string, author: string, licence: string) =>
    `- [${name}.ogg]:  clip derived from a (b).wav (http://www.freesound.org/people/x/sounds/${name.split('-')[1]}/) by ${author} [${licence}]`;
  const lines = [
    line('1-10-A', 'ann by the sea', 'CC0'),
    line('2-20-A', 'bob', 'CC-BY'),
    line('3-30-A', 'carl', 'CC-BY-NC'),
    line('4-40-A', 'dora', 'CC-Sampling+'),
  ];
  writeFileSync(join(folder, 'LICENSE'), `101 - Dog:\n${lines.join('\n')}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('only clips whose own licence is CC0 or CC BY are used, and their authors are named', () => {
  const { clips, licences } = readDataset(folder);
  expect(clips.map(({ name }) => name)).toEqual(['1-10-A-0.wav', '2-20-A-0.wav']);
  expect(licences).toEqual({ CC0: 1, 'CC-BY': 1, 'CC-BY-NC': 1, 'CC-Sampling+': 1, unknown: 1 });
  const attribution = writeAttribution(clips, []);
  expect(attribution).toContain('\nann by the sea [CC0]: 10\nbob [CC-BY]: 20\n');
});

test('a folder that is not a dataset is refused', () => {
  expect(() => readDataset(join(folder, 'meta'))).toThrow('this is not a folder of ESC-50');
});

/** Three deterministic sounds with distinct features, and a fourth feature without information. */
const examples = Array.from({ length: 150 }, (_, at): Example => {
  const sound = at % 3;
  const stray = (step: number) => Math.sin(at * 12.9898 * step);
  return {
    sound,
    fold: (Math.floor(at / 3) % 5) + 1,
    features: Float32Array.of(3 * (sound === 0 ? 1 : 0) + stray(1), 3 * (sound === 1 ? 1 : 0) + stray(2), 5, stray(3)),
  };
});
const sounds = ['dog', 'rain', ''];

test('sounds with distinct features are learned, with the same weights every time', () => {
  const weights = train(examples, sounds, 0.1);
  const classify = createClassifier(weights);
  expect([...classify(Float32Array.of(3, 0, 5, 0))].indexOf(Math.max(...classify(Float32Array.of(3, 0, 5, 0))))).toBe(
    0,
  );
  expect(classify(Float32Array.of(0, 3, 5, 0))[1]).toBeGreaterThan(0.8);
  expect(train(examples, sounds, 0.1)).toEqual(weights);
});

test('each fold is classified with weights from the other folds, and the figures are written', () => {
  const { folds, all, perSound, temperature } = holdOut({ examples, sounds }, () => {});
  expect(folds).toHaveLength(5);
  expect(all.accuracy).toBeGreaterThan(0.9);
  expect(all.topThree).toBe(1);
  expect(temperature).toBeGreaterThan(0);
  expect(perSound.map(({ name, clips }) => [name, clips])).toEqual([
    ['dog', 50],
    ['rain', 50],
  ]);
  const places = 'before\n<!-- figures: written by npm run train:labels -->\nstale\n<!-- end of figures -->\nafter\n';
  const document = replaceFigures(places, folds, all, perSound);
  expect(document).toMatch(/^before\n[\s\S]*\| dog \| 50 \|[\s\S]*\nafter\n$/);
  expect(document).not.toContain('stale');
  expect(replaceFigures(document, folds, all, perSound)).toBe(document);
});

test('training with random classes gives a low accuracy', () => {
  const shuffled = examples.map((example, at) => ({ ...example, sound: (at * 7 + Math.floor(at / 11)) % 3 }));
  expect(holdOut({ examples: shuffled, sounds }, () => {}).all.accuracy).toBeLessThan(0.6);
});

test('groups of other sounds are classes without a name, except music', () => {
  const list = parseOtherSounds(
    'group\trepository\tpaths\nmusic\ta/b\tflute/c.mp3;flute/d.mp3\nshot\ta/b\tguns/e.ogg\nmusic\ta/b\tflute/f.mp3\n',
  );
  expect(list.map(({ group, paths, fold }) => [group, paths.length, fold])).toEqual([
    ['music', 2, 1],
    ['shot', 1, 2],
    ['music', 1, 1],
  ]);
  const classes = listClasses([{ category: 'rain' }, { category: 'door_wood_knock' }], list);
  expect(classes.sounds).toEqual(['door knock', 'rain', 'music', '', '']);
  expect([classes.ofCategory('rain'), classes.ofGroup('music'), classes.ofGroup('shot'), classes.made]).toEqual([
    1, 2, 3, 4,
  ]);
});

test('a sound of no class that gets a label is a false alarm, whichever unnamed class it belongs to', () => {
  const unnamed = ['dog', '', ''];
  const { all, perSound } = holdOut({ examples, sounds: unnamed }, () => {});
  expect(perSound.map(({ name }) => name)).toEqual(['dog']);
  expect(all.falseAlarmsAt50).toBeLessThan(0.1);
  const mixed = examples.map((example) =>
    example.sound === 1 ? { ...example, features: examples[0]!.features } : example,
  );
  expect(holdOut({ examples: mixed, sounds: unnamed }, () => {}).all.accuracy).toBeLessThan(1);
});

test('every other sound of the training has a credit, and a sound without one is refused', () => {
  const list = readOtherList(new URL('./other-sounds.tsv', import.meta.url).pathname);
  expect(list.length).toBeGreaterThan(500);
  for (const other of list) expect(creditOf(other)).toMatch(/\[CC(0|-BY)\]$/);
  expect(writeAttribution([], list)).toContain('https://github.com/sonic-pi-net/sonic-pi: ');
  expect(() => creditOf({ group: 'shot', repository: 'x/y', paths: ['z.wav'], fold: 1 })).toThrow(
    'x/y/z.wav belongs to no listed collection',
  );
});
