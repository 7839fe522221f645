import type { Waveform } from '@earshot/contract/audio-clip-sound';
import { afterEach, beforeEach, expect, describe, test, vi } from 'vitest';
import { LaneData } from './lane-data.ts';
import { Levels, type Wish } from './levels.ts';

const minute = 60_000;
const width = 1_000;

/** A clip in each minute, all of them here. */
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

interface Call extends Wish {
  readonly answer: (waveform?: Partial<Waveform>) => Promise<void>;
  readonly fail: () => Promise<void>;
  readonly signal: AbortSignal;
}

describe('the level of sound on the timeline', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A server that answers when it is told to. */
  function watched(): { levels: Levels; calls: Call[]; look: (from: number, to: number) => Promise<void> } {
    const calls: Call[] = [];
    const levels = new Levels(
      (wish, signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
          const settled = async () => void (await vi.advanceTimersByTimeAsync(0));
          const answer = (waveform: Partial<Waveform> = {}) => {
            resolve({ audioClipID: wish.key, durationMs: minute, pointsPerSecond: 1, peaks: [-3, 9], ...waveform });
            return settled();
          };
          const fail = () => {
            reject(new Error('no answer'));
            return settled();
          };
          calls.push({ ...wish, signal, answer, fail });
        }),
    );
    const lanes = [laneOf(500)];
    const look = async (from: number, to: number) => {
      levels.look({ view: { from: from * minute, to: to * minute }, width, lanes });
      await vi.advanceTimersByTimeAsync(100);
    };
    return { levels, calls, look };
  }
  const keysOf = (calls: readonly Wish[]) => calls.map(({ key }) => key);

  test('is asked for a few at a time, the newest first, and each once', async () => {
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

    // What has come into sight since is wished for most.
    await look(1, 12);
    await calls[1]!.answer();
    expect(calls.at(-1)?.key).toBe(12);
    for (let index = 0; index < calls.length; index += 1) await calls[index]!.answer();
    expect(new Set(keysOf(calls)).size).toBe(calls.length);
    // The first clip was out of sight before its turn came.
    expect(keysOf(calls).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test('is not waited for once it is out of sight, and asked for again when it is back', async () => {
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

  test('is finer where one clip fills the screen; the coarse one shows until then', async () => {
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

  test('a server that does not answer is left alone until the next move', async () => {
    const { calls, look } = watched();
    await look(0, 10);
    await Promise.all(calls.map(({ fail }) => fail()));
    expect(calls).toHaveLength(3);
    await look(0, 11);
    expect(calls.slice(3).map(({ key }) => key)).toEqual([11, 10, 9]);
  });

  test('the last three hundred are kept', async () => {
    const { levels, calls, look } = watched();
    for (let from = 0; from < 500; from += 20) {
      await look(from, from + 20);
      for (let index = 0; index < calls.length; index += 1) await calls[index]!.answer();
    }
    const kept = Array.from({ length: 500 }, (_, index) => levels.soundOf(index + 1, 100 + index) !== undefined);
    expect(kept).toEqual(Array.from({ length: 500 }, (_, index) => index >= 200));
  });
});
