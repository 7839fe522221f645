import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Recognised } from '../embedded/recogniser.ts';
import { createThirdListen } from './third-listen.ts';

const recognised: Recognised = {
  language: 'en',
  words: [],
  places: undefined,
  logProbability: 0,
  steps: 0,
  isNonsense: false,
};
const never = new AbortController().signal;

/** A model that notes when it is loaded and released. */
function createModel({ mostFailures = 0, recogniseMs = 0 } = {}) {
  const notes: string[] = [];
  let failures = 0;
  const open = createThirdListen(async (folder) => {
    if (failures < mostFailures) {
      failures += 1;
      throw new Error('damaged');
    }
    notes.push(`loaded ${folder}`);
    return {
      leastLogProbability: -1,
      mostSeconds: 20,
      async recognise() {
        await new Promise((resolve) => setTimeout(resolve, recogniseMs));
        return recognised;
      },
      release: async () => void notes.push('released'),
    };
  }, 60_000);
  const recognise = () => open('models')!.recognise(new Float32Array(16), never);
  return { open, recognise, notes };
}

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

const recogniseNow = async (recognise: () => Promise<Recognised>) => {
  const result = recognise();
  await vi.advanceTimersByTimeAsync(0);
  return result;
};

test('without a folder the clip may not use the model', () => {
  expect(createModel().open(undefined)).toBeUndefined();
});

test('the model is loaded when speech first needs it, and once for many clips', async () => {
  const { open, recognise, notes } = createModel();
  open('models');
  expect(notes).toEqual([]);
  for (let clip = 0; clip < 3; clip++) expect(await recogniseNow(recognise)).toBe(recognised);
  expect(notes).toEqual(['loaded models']);
});

test('the model is released when idle, and loaded again on demand', async () => {
  const { recognise, notes } = createModel();
  await recogniseNow(recognise);
  await vi.advanceTimersByTimeAsync(59_000);
  await recogniseNow(recognise);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(notes).toEqual(['loaded models']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(notes).toEqual(['loaded models', 'released']);
  await recogniseNow(recognise);
  expect(notes).toEqual(['loaded models', 'released', 'loaded models']);
});

test('a model in use is not released', async () => {
  const { recognise, notes } = createModel({ recogniseMs: 120_000 });
  const first = recognise();
  await vi.advanceTimersByTimeAsync(120_000);
  await first;
  const second = recognise();
  await vi.advanceTimersByTimeAsync(119_000);
  expect(notes).toEqual(['loaded models']);
  await vi.advanceTimersByTimeAsync(1_000);
  await second;
});

test('a model that could not be loaded is tried again for the next speech', async () => {
  const { recognise, notes } = createModel({ mostFailures: 1 });
  await expect(recognise()).rejects.toThrow('damaged');
  expect(await recogniseNow(recognise)).toBe(recognised);
  expect(notes).toEqual(['loaded models']);
});
