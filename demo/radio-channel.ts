import type { SpokenSound } from './wav.ts';

const lowestHz = 300;
const highestHz = 3_000;
const squelchSeconds = 0.15;

/** Sound as a narrow radio channel passes it on: a small band, noise, clipping, and a short burst at the end. */
export function passThroughRadio({ rate, values }: SpokenSound, noiseDb: number, random: () => number): SpokenSound {
  const tail = Math.round(squelchSeconds * rate);
  const passed = new Float32Array(values.length + tail);
  const highPass = createFilter('high', lowestHz, rate);
  const lowPass = createFilter('low', highestHz, rate);
  const noiseBand = createFilter('low', highestHz, rate);
  const loudness = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / Math.max(1, values.length));
  const noise = loudness * 10 ** (-noiseDb / 20);
  for (let at = 0; at < passed.length; at += 1) {
    const isTail = at >= values.length;
    const voice = isTail ? 0 : lowPass(highPass(values[at] ?? 0));
    const hiss = noiseBand((random() * 2 - 1) * Math.sqrt(3)) * (isTail ? loudness : noise);
    passed[at] = Math.tanh(2.5 * (voice + hiss)) / 2.5;
  }
  return { rate, values: passed };
}

/** A Butterworth filter of the second order. */
function createFilter(kind: 'low' | 'high', hz: number, rate: number): (value: number) => number {
  const angle = (2 * Math.PI * hz) / rate;
  const alpha = Math.sin(angle) / Math.SQRT2;
  const cosine = Math.cos(angle);
  const scale = 1 / (1 + alpha);
  const middle = (kind === 'low' ? 1 - cosine : -(1 + cosine)) * scale;
  const side = (kind === 'low' ? middle : -middle) / 2;
  const [a1, a2] = [-2 * cosine * scale, (1 - alpha) * scale];
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  return (value) => {
    const result = side * value + middle * x1 + side * x2 - a1 * y1 - a2 * y2;
    [x2, x1, y2, y1] = [x1, value, y1, result];
    return result;
  };
}
