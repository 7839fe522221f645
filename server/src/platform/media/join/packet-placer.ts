import type { ProbedShape } from '../ffmpeg-probe.ts';
import type { Packet, PacketCodec, PacketWriter } from './packets/packet-codec.ts';
import { CopyImpossible } from './packets/packet-codec.ts';

/** The largest error of a format that cannot store where its sound ends: half a packet. */
const mostErrorSeconds = 0.04;

/** How many placed samples can be taken back to make room for the preroll of a new stream. */
const heldSamples = 1920;

/**
 * Decides which packets are written. Positions are in samples of the result; `#next` is the position of the next
 * packet. A packet that belongs half a packet or more before `#next` is dropped; one that belongs half a packet or more
 * after it is preceded by silence.
 */
export class PacketPlacer {
  readonly #codec: PacketCodec;
  readonly #path: string;
  readonly #signal: AbortSignal | undefined;
  #shape: ProbedShape | undefined;
  #writer: PacketWriter | undefined;
  #lead = 0;
  #next = 0;
  #silence: Packet | undefined;
  #followsOn = false;
  #needsReset = false;
  #held: { readonly packet: Packet; readonly followsOn: boolean }[] = [];

  constructor(codec: PacketCodec, path: string, signal: AbortSignal | undefined) {
    this.#codec = codec;
    this.#path = path;
    this.#signal = signal;
  }

  get isEmpty(): boolean {
    return this.#writer === undefined;
  }

  /** The following packets come from another file, from its first packet or from a later one. */
  beginStream(shape: ProbedShape, isFromStart: boolean): void {
    this.#shape = shape;
    this.#followsOn = false;
    this.#needsReset = isFromStart && !this.isEmpty && this.#codec.makeReset !== undefined;
  }

  /** False if this packet and all following ones are after the end. `isFinal`: no other piece follows. */
  async place(packet: Packet, at: number, end: number, isFinal: boolean): Promise<boolean> {
    const half = packet.samples / 2;
    // The last packet is kept whole if the file can store which part of it to play.
    if (at >= end - (isFinal && this.#codec.canTrim ? 0 : half)) return false;
    if (this.isEmpty && !(await this.#begin(packet, at))) return true;
    if (this.#needsReset) await this.#reset(packet, at);
    if (at < this.#next - half) {
      this.#followsOn = false;
      return true;
    }
    await this.#fillUntil(at);
    await this.#add(packet);
    return true;
  }

  async finish(total: number): Promise<void> {
    const silence = this.#silence!;
    while (this.#next < total - (this.#codec.canTrim ? 0 : silence.samples / 2)) await this.#add(silence);
    await this.#release(0);
    await this.#writer!.finish(this.#lead, total);
    this.#writer = undefined;
  }

  async abort(): Promise<void> {
    await this.#writer?.abort();
  }

  async #begin(packet: Packet, at: number): Promise<boolean> {
    const { canTrim, prerollSamples, rate } = this.#codec;
    const shape = this.#shape!;
    if (!canTrim && packet.samples / 2 / rate(shape) > mostErrorSeconds) throw new CopyImpossible();
    const isTooEarly = canTrim ? at + packet.samples <= -prerollSamples : at < -packet.samples / 2;
    if (isTooEarly) return false;
    this.#writer = await this.#codec.openWriter(this.#path, shape);
    this.#silence = this.#codec.makeSilence(packet);
    if (!canTrim) return true;
    this.#next = Math.min(0, at);
    this.#lead = -this.#next;
    return true;
  }

  async #reset(packet: Packet, at: number): Promise<void> {
    this.#needsReset = false;
    const reset = this.#codec.makeReset!(packet);
    const place = at - reset.samples;
    for (let last = this.#held.at(-1); last; last = this.#held.at(-1)) {
      if (this.#next - place <= last.packet.samples / 2) break;
      this.#held.pop();
      this.#next -= last.packet.samples;
    }
    await this.#fillUntil(place);
    await this.#add(reset);
    this.#followsOn = false;
  }

  async #fillUntil(at: number): Promise<void> {
    const silence = this.#silence!;
    while (at > this.#next + silence.samples / 2) {
      await this.#add(silence);
      this.#followsOn = false;
    }
  }

  async #add(packet: Packet): Promise<void> {
    this.#signal?.throwIfAborted();
    this.#held.push({ packet, followsOn: this.#followsOn });
    this.#next += packet.samples;
    this.#followsOn = true;
    await this.#release(this.#codec.makeReset ? heldSamples : 0);
  }

  /** Writes all samples except the last `keptSamples`. */
  async #release(keptSamples: number): Promise<void> {
    let kept = this.#held.reduce((sum, { packet }) => sum + packet.samples, 0);
    while (this.#held.length > 0 && kept - this.#held[0]!.packet.samples >= keptSamples) {
      const { packet, followsOn } = this.#held.shift()!;
      kept -= packet.samples;
      await this.#writer!.write(packet, followsOn);
    }
  }
}
