/*
 * Finds sound that repeats exactly the sound directly before it, as a recorder writes it when its buffer is stuck or was
 * written twice.
 *
 * A frame at n repeats at distance P if it equals the frame at n − P. A run of at least P such frames is a repeated block,
 * or several; P is 20 ms to 1 s. A block that itself has a period below 20 ms is a tone, or has one value, and does not
 * count.
 *
 * Distances are found by fingerprints: for the fingerprint of the stretch of 5 ms that ends at each frame, it is looked up
 * where a stretch with the same one ended last. So a block is found as soon as a stretch of it occurs nowhere else, which is always
 * so for recorded sound; among generated tones it can be missed. Frames are compared as numbers of 32 bits made of their
 * samples.
 */

const shortestMs = 20;
const longestMs = 1000;
/** Frames that may be compared on the way back, for each frame of the sound: the cost stays linear for any sound. */
const mostStepsBack = 8;
/** Odd, so that multiplication modulo 2^32 loses nothing. */
const factor = 0x01_00_01_93;

const largestPosition = 2 ** 31 - 1;

export class RepeatFinder {
  readonly #channels: number;
  readonly #shortest: number;
  readonly #longest: number;
  readonly #stretch: number;
  /** The last frames, at their position modulo the size. */
  readonly #frames: Int32Array;
  readonly #mask: number;
  /** By fingerprint: the end of the last stretch that has it, modulo 2^31. */
  readonly #ends: Int32Array;
  /** What the frame that leaves the stretch contributes to the fingerprint. */
  readonly #leaving: number;
  #count = 0;
  #stepsBack = 0;
  #print = 0;
  /** The distance of the run that continues; 0 if there is none. */
  #distance = 0;
  #runStart = 0;
  #repeated = 0;
  /** The end of what is counted. */
  #countedTo = 0;

  constructor(sampleRate: number, channels: number) {
    this.#channels = channels;
    this.#shortest = Math.max(1, Math.round((sampleRate * shortestMs) / 1000));
    this.#longest = Math.round((sampleRate * longestMs) / 1000);
    this.#stretch = Math.max(1, Math.floor(this.#shortest / 4));
    const size = 2 ** Math.ceil(Math.log2(2 * this.#longest + 2));
    this.#frames = new Int32Array(size);
    this.#mask = size - 1;
    this.#ends = new Int32Array(size).fill(-1);
    let leaving = 1;
    for (let at = 0; at < this.#stretch; at += 1) leaving = Math.imul(leaving, factor);
    this.#leaving = leaving;
  }

  /** Whole frames, interleaved. */
  push(samples: Float32Array): void {
    // The samples as bits: 0 and −0 differ, which no recorder writes.
    const bits = new Int32Array(samples.buffer, samples.byteOffset, samples.length);
    const channels = this.#channels;
    for (let at = 0; at < bits.length; at += channels) {
      let frame = bits[at]!;
      for (let channel = 1; channel < channels; channel += 1) frame = (Math.imul(frame, 31) + bits[at + channel]!) | 0;
      // Low bits of a float of few digits are 0: without mixing, so would those of the fingerprint be.
      frame = Math.imul(frame ^ (frame >>> 15), 0x2c_1b_3c_6d);
      this.#add(frame ^ (frame >>> 12));
    }
  }

  /** The number of frames that repeat. */
  finish(): number {
    this.#endRun();
    return this.#repeated;
  }

  #add(frame: number): void {
    const frames = this.#frames;
    const mask = this.#mask;
    const at = this.#count;
    const distance = this.#distance;
    if (distance > 0 && frames[(at - distance) & mask] !== frame) this.#endRun();
    const left = at < this.#stretch ? 0 : frames[(at - this.#stretch) & mask]!;
    this.#print = (Math.imul(this.#print, factor) + frame - Math.imul(left, this.#leaving)) | 0;
    frames[at & mask] = frame;
    this.#count = at + 1;
    if (at + 1 < this.#stretch) return;
    const print = this.#print;
    const slot = (print ^ (print >>> 15)) & mask;
    if (this.#distance === 0) this.#beginRun((at - this.#ends[slot]!) & largestPosition);
    this.#ends[slot] = at & largestPosition;
  }

  /** Begins a run at this distance if the last stretch repeats; the run begins as far back as the frames are equal. */
  #beginRun(distance: number): void {
    if (distance < 1 || distance > this.#longest) return;
    const frames = this.#frames;
    const mask = this.#mask;
    const last = this.#count - 1;
    const affordable = mostStepsBack * this.#count - this.#stepsBack;
    const first = Math.max(distance, last + 1 - Math.max(this.#stretch, Math.min(this.#longest, affordable)));
    let start = last + 1;
    while (start > first && frames[(start - 1) & mask] === frames[(start - 1 - distance) & mask]) start -= 1;
    this.#stepsBack += last + 1 - start;
    if (last + 1 - start < this.#stretch) return;
    this.#distance = distance;
    this.#runStart = start;
  }

  #endRun(): void {
    const distance = this.#distance;
    this.#distance = 0;
    const [start, end] = [this.#runStart, this.#count];
    if (distance < this.#shortest || end - start < distance || this.#isTone(distance)) return;
    this.#repeated += Math.max(0, end - Math.max(start, this.#countedTo));
    this.#countedTo = Math.max(this.#countedTo, end);
  }

  /** Whether the last block has a period below the shortest block: by the borders of its prefixes. */
  #isTone(length: number): boolean {
    const from = this.#count - length;
    const block = new Int32Array(length);
    for (let at = 0; at < length; at += 1) block[at] = this.#frames[(from + at) & this.#mask]!;
    const borders = new Int32Array(length);
    let border = 0;
    for (let at = 1; at < length; at += 1) {
      while (border > 0 && block[at] !== block[border]) border = borders[border - 1]!;
      if (block[at] === block[border]) border += 1;
      borders[at] = border;
    }
    return length - border < this.#shortest;
  }
}
