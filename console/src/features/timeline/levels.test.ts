import type { Waveform } from '@earshot/contract/audio-clip-sound';
import { afterEach, beforeEach, expect, describe, test, vi } from 'vitest';
import { LaneData } from './lane-data.ts';
import type { WaveformRequest } from './levels.ts';
import { Levels } from './levels.ts';

const minute = 60_000;
const width = 1_000;

/** One available clip per minute. */
function laneOf(clips: number): LaneData {
  const data = new LaneData();
  const list = Array.from({ length: clips }, (_, index) => ({
    key: index + 1,
    start: index * minute,
    end: (index + 1) * minute,
    status: 3,
    file: 100 + index,
    isCaptioned: false,
  }));
  data.merge(list, []);
  return data;
}

interface Call extends WaveformRequest {
  readonly answer: (waveform?: Partial<Waveform>) => Promise<void>;
  readonly fail: () => Promise<void>;
  readonly signal: AbortSignal;
}

describe('audio levels on the timeline', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A loader that resolves when the test tells it to. */
  function watched(): { levels: Levels; calls: Call[]; look: (from: number, to: number) => Promise<void> } {
    const calls: Call[] = [];
    const levels = new Levels(
      (request, signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
          const settled = async () => void (await vi.advanceTimersByTimeAsync(0));
          const answer = (waveform: Partial<Waveform> = {}) => {
            resolve({ audioClipID: request.key, durationMs: minute, pointsPerSecond: 1, peaks: [-3, 9], ...waveform });
            return settled();
          };
          const fail = () => {
            reject(new Error('no answer'));
            return settled();
          };
          calls.push({ ...request, signal, answer, fail });
        }),
    );
    const lanes = [laneOf(500)];
    const look = async (from: number, to: number) => {
      levels.look({ view: { from: from * minute, to: to * minute }, width, lanes });
      await vi.advanceTimersByTimeAsync(100);
    };
    return { levels, calls, look };
  }
  const keysOf = (calls: readonly WaveformRequest[]) => calls.map(({ key }) => key);

  test('is loaded a few at a time, newest first, each once', async () => {
    const { levels, calls, look } = watched();
    await look(0, 500);
    expect(calls).toEqual([]);
    await look(0, 10);
    expect(keysOf(calls)).toEqual([10, 9, 8]);
    await calls[0]!.answer();
    expect(keysOf(calls)).toEqual([10, 9, 8, 7]);
    expect(levels.areShown.value).toBe(true);
    expect(levels.soundOf(10, 109)?.peaks).toEqual(new Uint8Array([9]));
    expect(levels.soundOf(10, 999)).toBeUndefined();

    // Clips that became visible later have priority.
    await look(1, 12);
    await calls[1]!.answer();
    expect(calls.at(-1)?.key).toBe(12);
    for (let index = 0; index < calls.length; index += 1) await calls[index]!.answer();
    expect(new Set(keysOf(calls)).size).toBe(calls.length);
    // The first clip was not visible any more before its turn.
    expect(keysOf(calls).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test('is cancelled when the clip is not visible, and requested again when it is', async () => {
    const { calls, look } = watched();
    await look(0, 10);
    await look(100, 110);
    expect(calls.slice(0, 3).every(({ signal }) => signal.aborted)).toBe(true);
    expect(keysOf(calls.slice(3))).toEqual([110, 109, 108]);
    await look(0, 500);
    expect(calls.every(({ signal }) => signal.aborted)).toBe(true);
    await look(0, 2);
    expect(keysOf(calls.slice(6))).toEqual([2, 1]);
  });

  test('is finer where one clip fills the screen; the coarse level shows until then', async () => {
    const { levels, calls, look } = watched();
    await look(0, 10);
    await calls[0]!.answer();
    await look(9, 10);
    const finer = calls.at(-1)!;
    expect(finer).toMatchObject({ key: 10, points: 4_000 });
    expect(levels.soundOf(10, 109)?.peaks).toHaveLength(1);
    await finer.answer({ peaks: [0, 1, 0, 2] });
    expect(levels.soundOf(10, 109)?.peaks).toHaveLength(2);
  });

  test('after an error nothing is requested until the view moves', async () => {
    const { calls, look } = watched();
    await look(0, 10);
    await Promise.all(calls.map(({ fail }) => fail()));
    expect(calls).toHaveLength(3);
    await look(0, 11);
    expect(calls.slice(3).map(({ key }) => key)).toEqual([11, 10, 9]);
  });

  test('the last 300 are kept', async () => {
    const { levels, calls, look } = watched();
    for (let from = 0; from < 500; from += 20) {
      await look(from, from + 20);
      for (let index = 0; index < calls.length; index += 1) await calls[index]!.answer();
    }
    const kept = Array.from({ length: 500 }, (_, index) => levels.soundOf(index + 1, 100 + index) !== undefined);
    expect(kept).toEqual(Array.from({ length: 500 }, (_, index) => index >= 200));
  });
});
