/** How much louder quiet sound may be made. */
export const gains = [1, 2, 4, 8] as const;

/**
 * Makes the sound of an audio element louder than it was recorded. Made when somebody first asks for it, because sound
 * that goes through it never leaves it again. What would clip is pressed together instead.
 */
export class PlayerGain {
  private context: AudioContext | undefined;
  private level: GainNode | undefined;
  private readonly sources = new WeakSet<HTMLAudioElement>();

  set(audio: HTMLAudioElement | undefined, gain: number): void {
    if (gain === 1 && !this.context) return;
    this.context ??= new AudioContext();
    this.level ??= this.makeLevel(this.context);
    this.level.gain.value = gain;
    if (audio && !this.sources.has(audio)) {
      this.context.createMediaElementSource(audio).connect(this.level);
      this.sources.add(audio);
    }
    // A browser lets it begin only after a press, as the one that chose the gain.
    if (this.context.state === 'suspended') void this.context.resume();
  }

  private makeLevel(context: AudioContext): GainNode {
    const level = context.createGain();
    const limiter = context.createDynamicsCompressor();
    limiter.threshold.value = -3;
    limiter.ratio.value = 20;
    level.connect(limiter).connect(context.destination);
    return level;
  }
}
