import type { Waveform } from '@earshot/contract/audio-clip-sound';
import { expect, test } from 'vitest';
import { WaveLoader } from './wave-loader.ts';

const settle = () => new Promise((resolve) => setTimeout(resolve));

/** Requests that end when the test says so. */
function slowServer() {
  const open = new Map<number, () => void>();
  const asked: number[] = [];
  const loader = new WaveLoader((clipID, signal) => {
    asked.push(clipID);
    return new Promise<Waveform>((resolve, reject) => {
      open.set(clipID, () =>
        resolve({ audioClipID: clipID, durationMs: 1, pointsPerSecond: 1, peaks: [-clipID, clipID] }),
      );
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  });
  return { loader, asked, answer: (clipID: number) => open.get(clipID)?.() };
}

test('three requests run at once, the latest row is next, and a row that is scrolled away is not requested', async () => {
  const { loader, asked, answer } = slowServer();
  const shown: number[] = [];
  const cancels = [1, 2, 3, 4, 5, 6].map((clip) => loader.want(clip, 9, ([, high = 0]) => shown.push(high)));
  expect(asked).toEqual([1, 2, 3]);
  cancels[5]!();
  answer(2);
  await settle();
  expect(asked).toEqual([1, 2, 3, 5]);
  // A request in progress is aborted, which makes room for the next.
  cancels[0]!();
  await settle();
  expect(asked).toEqual([1, 2, 3, 5, 4]);
  for (const clip of [3, 4, 5]) answer(clip);
  await settle();
  expect(shown).toEqual([2, 3, 4, 5]);
});

test('a known waveform is not requested again, unless the clip has other sound', async () => {
  const { loader, asked, answer } = slowServer();
  loader.want(1, 9, () => {});
  answer(1);
  await settle();
  const shown: (readonly number[])[] = [];
  loader.want(1, 9, (peaks) => shown.push(peaks));
  expect(shown).toEqual([[-1, 1]]);
  loader.want(1, 10, () => {});
  expect(asked).toEqual([1, 1]);
});
