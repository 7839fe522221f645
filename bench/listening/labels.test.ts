import { expect, test } from 'vitest';
import { addLabels, outsideLines, outsideOf, precisionOf } from './labels.ts';

test('labels of sounds outside of the training are counted as right or wrong', () => {
  const [known, music, other] = [outsideOf('known'), outsideOf('music'), outsideOf('other')];
  addLabels(known, 'insects|crickets', ['crickets']);
  addLabels(known, 'dog', []);
  addLabels(music, 'music', ['music', 'crying baby']);
  addLabels(other, 'other', ['siren']);
  expect(known).toMatchObject({ clips: 2, right: 1, wrong: 0, clipsWithWrong: 0 });
  expect(music).toMatchObject({ clips: 1, right: 1, wrong: 1, clipsWithWrong: 1 });
  expect(other).toMatchObject({ clips: 1, right: 0, wrong: 1, clipsWithWrong: 1 });
  expect(precisionOf([known, music, other])).toBe(0.5);
  expect(outsideLines([known, music, other])).toContain('| music | 1 | 1 | 1 | 1 (100.0 %) |');
});
