/** Facts of the samples of a sound, over all its channels. */
export interface MeasuredSound {
  /** The length of the samples that could be read. */
  readonly soundMs: number;
  /** The root mean square of all samples in dBFS: 0 if each has full scale, −3.01 for a sine of full scale. */
  readonly levelDb: number;
  /** The largest sample in dBFS, without its sign. Above 0 only in sound of floating-point samples. */
  readonly peakDb: number;
  /** The percentage of the samples at or above 0.999 of full scale, without their sign. */
  readonly clippedPercent: number;
  /** Whether the samples of each channel are all equal, within half a step of 16 bits. */
  readonly isDigitalSilence: boolean;
  /**
   * The length of the sound that repeats exactly the sound directly before it, in blocks of 20 ms to 1 s. Undefined for
   * lossy codecs, which do not keep samples.
   */
  readonly repeatedMs: number | undefined;
}

/** The level of sound that has only zeros: below the smallest step of 24 bits. */
export const lowestDb = -150;

/** At or above, a sample is clipped. */
export const clippedFrom = 0.999;

/** Half a step of 16 bits. */
export const silentWithin = 2 ** -16;
