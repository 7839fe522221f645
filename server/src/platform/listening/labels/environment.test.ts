import { expect, test } from 'vitest';
import { joinSound, noise, silence } from '../../../testing/speech.ts';
import { createEnvironmentDetector } from './environment.ts';
import { encodedLayers, encodedWidth } from './feature-shape.ts';

/** Tests only the decisions about windows: the classifier returns the values of the test. */
const encode = (samples: Float32Array) =>
  Promise.resolve(encodedLayers.map(() => new Float32Array(Math.floor(samples.length / 384) * encodedWidth)));
const sounds = ['dog', 'rain', ''];

async function detect(
  samples: Float32Array,
  says: readonly (readonly number[])[],
  speech: readonly [number, number][] = [],
  names: readonly string[] = sounds,
) {
  let window = 0;
  const classify = () => Float64Array.from(says[Math.min(window++, says.length - 1)]!);
  const detector = createEnvironmentDetector(encode, classify, names);
  for (let at = 0; at < samples.length; at += 512) await detector.push(samples.subarray(at, at + 512), false);
  const stretches = speech.map(([startMs, endMs]) => ({ startMs, endMs }));
  return { labels: await detector.end(stretches, samples.length / 16), windows: window };
}

test('consecutive windows with the same sound are one label with the highest confidence', async () => {
  const { labels, windows } = await detect(noise(15), [
    [0.6, 0.1, 0.3],
    [0.9, 0.1, 0],
    [0.7, 0.1, 0.2],
    [0, 0.8, 0.2],
    [0, 0, 1],
  ]);
  expect(windows).toBe(5);
  expect(labels).toEqual([
    { name: 'dog', confidence: 90, startMs: 0, endMs: 10_000 },
    { name: 'rain', confidence: 80, startMs: 7_500, endMs: 12_500 },
  ]);
});

test('no label is reported below 50 percent, or for unknown sounds', async () => {
  expect((await detect(noise(5), [[0.49, 0.31, 0.2]])).labels).toEqual([]);
  expect((await detect(noise(5), [[0.05, 0.05, 0.9]])).labels).toEqual([]);
});

test('no label is reported for any class without a name', async () => {
  const twoUnnamed = ['dog', '', ''];
  expect((await detect(noise(5), [[0.1, 0.8, 0.1]], [], twoUnnamed)).labels).toEqual([]);
  expect((await detect(noise(5), [[0.1, 0.1, 0.8]], [], twoUnnamed)).labels).toEqual([]);
});

test('silence is not classified, and a label ends where silence begins', async () => {
  expect(await detect(silence(30), [[1, 0, 0]])).toEqual({ labels: [], windows: 0 });
  const { labels } = await detect(joinSound(silence(1), noise(0.2), silence(3.8)), [[0.9, 0.1, 0]]);
  expect(labels).toEqual([{ name: 'dog', confidence: 90, startMs: 1_000, endMs: 1_200 }]);
});

test('a window with a fifth of speech gets no label', async () => {
  expect((await detect(noise(5), [[1, 0, 0]], [[0, 1_100]])).labels).toEqual([]);
  expect((await detect(noise(5), [[1, 0, 0]], [[0, 900]])).labels).toHaveLength(1);
});

test('the end of a clip and a clip of one second are classified, but not a clip of a tenth', async () => {
  expect(
    (
      await detect(noise(6), [
        [0, 0, 1],
        [1, 0, 0],
      ])
    ).labels,
  ).toEqual([{ name: 'dog', confidence: 100, startMs: 2_500, endMs: 6_000 }]);
  expect((await detect(noise(1), [[1, 0, 0]])).labels).toHaveLength(1);
  expect((await detect(noise(0.1), [[1, 0, 0]])).windows).toBe(0);
});
