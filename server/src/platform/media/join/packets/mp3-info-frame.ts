import { mainDataAt, readMp3Header } from '../../mp3-frame.ts';

interface Mp3Info {
  /** Not counting the info frame itself. */
  readonly frames: number;
  readonly bytes: number;
  readonly lead: number;
  readonly padding: number;
  /** The offset of every `framesPerPlace`-th frame. */
  readonly places: readonly number[];
  readonly framesPerPlace: number;
}

export const infoFrameRoom = 156;

/** The delay of decoders, which they add to the value in the header. */
const decoderDelay = 529;
const largest = 4095;

/** Fills a silent frame with the "Xing" table and the "LAME" tag, which players read for gapless playback. */
export function writeInfoFrame(frame: Buffer, { frames, bytes, lead, padding, places, framesPerPlace }: Mp3Info): void {
  const at = mainDataAt(readMp3Header(frame)!);
  frame.write('Xing', at);
  frame.writeUInt32BE(0b1111, at + 4);
  frame.writeUInt32BE(frames, at + 8);
  frame.writeUInt32BE(Math.min(bytes, 0xffffffff), at + 12);
  for (let percent = 0; percent < 100; percent += 1) {
    const place = places[Math.floor((percent * frames) / 100 / framesPerPlace)] ?? bytes;
    frame[at + 16 + percent] = Math.min(255, Math.floor((place * 256) / bytes));
  }
  // Players accept the delay only with a known encoder name; this is the name that ffmpeg writes for copied packets.
  frame.write('Lavf', at + 120);
  const bound = (value: number): number => Math.max(0, Math.min(largest, value));
  frame.writeUIntBE(bound(lead - decoderDelay) * 4096 + bound(padding + decoderDelay), at + 141, 3);
}
