import type { KnownShape, Tap } from '../engine.ts';
import { asFloat32, FrameCutter } from '../pcm-frames.ts';
import { isLossless } from '../sound.ts';
import type { MeasuredSound } from './measured-sound.ts';
import { SoundMeter } from './sound-meter.ts';

interface TappedMeter {
  readonly tap: Tap;
  /** After the last samples; undefined if there were none. */
  finish(): MeasuredSound | undefined;
}

/** Measures the samples of a file while they are decoded for another purpose. */
export function meterOf({ sampleRate, channels, codec }: KnownShape): TappedMeter {
  const meter = new SoundMeter({ sampleRate, channels, isLossless: isLossless(codec) });
  const frames = new FrameCutter(channels * 4);
  const push = (bytes: Buffer): void => {
    const whole = frames.push(bytes);
    if (whole.length > 0) meter.push(asFloat32(whole));
  };
  return { tap: { sampleRate, channels, push }, finish: () => meter.finish() };
}
