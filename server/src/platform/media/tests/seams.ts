import { expect } from 'vitest';
import { between, levelOf, loudest } from './measure.ts';
import type { Moment } from './timeline-truth.ts';

export interface Hearing {
  readonly samples: Float32Array;
  readonly rate: number;
  /** The distance from a seam at which the sound is measured: codecs blur, and packets have a length. */
  readonly marginMs: number;
}

const windowMs = 60;

/** Checks both sides of every seam: the right tone and not that of the neighbour, or silence. */
export function expectSeams(moments: readonly Moment[], { samples, rate, marginMs }: Hearing): void {
  let checked = 0;
  for (const [index, { fromMs, toMs, frequency }] of moments.entries()) {
    if (toMs - fromMs < windowMs + 2 * marginMs) continue;
    const neighbours = [moments[index - 1]?.frequency, moments[index + 1]?.frequency];
    for (const startMs of [fromMs + marginMs, toMs - marginMs - windowMs]) {
      const heard = between(samples, rate, startMs, startMs + windowMs);
      const where = `moment ${index} at ${startMs} ms`;
      checked += 1;
      if (frequency === undefined) {
        expect(loudest(heard), `silence in ${where}`).toBeLessThan(0.02);
        continue;
      }
      expect(levelOf(heard, rate, frequency), `its tone in ${where}`).toBeGreaterThan(0.4);
      for (const other of neighbours) {
        if (other === undefined || other === frequency) continue;
        expect(levelOf(heard, rate, other), `its neighbour's tone in ${where}`).toBeLessThan(0.1);
      }
    }
  }
  expect(checked).toBeGreaterThan(moments.length);
}
