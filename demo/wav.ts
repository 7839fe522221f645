/** Mono sound of 16 bits. */
export interface SpokenSound {
  readonly rate: number;
  readonly values: Float32Array;
}

const headBytes = 44;

/** Reads the WAV that the synthesiser writes: one channel, 16 bits. */
export function readSpokenWav(bytes: Buffer): SpokenSound {
  const rate = bytes.readUInt32LE(24);
  const start = bytes.indexOf('data', 0, 'latin1') + 8;
  const count = Math.floor((bytes.length - start) / 2);
  const values = new Float32Array(count);
  for (let at = 0; at < count; at += 1) values[at] = bytes.readInt16LE(start + 2 * at) / 32_768;
  return { rate, values };
}

export function writeSpokenWav({ rate, values }: SpokenSound): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(headBytes + 2 * values.length);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(2 * rate, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(2 * values.length, 40);
  for (const [at, value] of values.entries()) {
    bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, value)) * 32_767), headBytes + 2 * at);
  }
  return bytes;
}

/** A higher factor is a higher and faster voice. */
export function changePitch({ rate, values }: SpokenSound, factor: number): SpokenSound {
  const changed = new Float32Array(Math.floor(values.length / factor));
  for (let at = 0; at < changed.length; at += 1) {
    const place = at * factor;
    const before = Math.floor(place);
    const share = place - before;
    changed[at] = (values[before] ?? 0) * (1 - share) + (values[before + 1] ?? 0) * share;
  }
  return { rate, values: changed };
}
