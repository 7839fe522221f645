import { expect, test } from 'vitest';
import { addLabels, outsideLines, outsideOf } from './labels.ts';

test('labels of sounds outside of the training are counted as right or wrong', () => {
  const [known, music, other] = [outsideOf('known'), outsideOf('music'), outsideOf('other')];
  addLabels(known, 'insects|crickets', ['crickets']);
  addLabels(known, 'dog', []);
  addLabels(music, 'music', ['music', 'crying baby']);
  addLabels(other, 'other', ['siren']);
  expect(known).toMatchObject({ clips: 2, right: 1, wrong: 0, clipsWithWrong: 0 });
  expect(music).toMatchObject({ clips: 1, right: 1, wrong: 1, clipsWithWrong: 1 });
  expect(other).toMatchObject({ clips: 1, right: 0, wrong: 1, clipsWithWrong: 1 });
  const lines = outsideLines([known, music, other], (isGood) => (isGood ? 'ok' : 'NOT MET'));
  expect(lines.at(-1)).toBe('- precision of the labels of these sounds: 50.0 % (goal 50.0 %, ok)');
});
