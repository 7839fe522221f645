import { createHash } from 'node:crypto';

const rate = 8_000;

/** A tone as a WAV file. */
export function tinyWav(seconds = 0.5, hertz = 440): Uint8Array<ArrayBuffer> {
  const samples = Math.round(seconds * rate);
  const wav = new Uint8Array(44 + 2 * samples);
  const view = new DataView(wav.buffer);
  const write = (text: string, at: number) => wav.set(new TextEncoder().encode(text), at);
  write('RIFF', 0);
  view.setUint32(4, 36 + 2 * samples, true);
  write('WAVEfmt ', 8);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write('data', 36);
  view.setUint32(40, 2 * samples, true);
  for (let at = 0; at < samples; at++) {
    view.setInt16(44 + 2 * at, Math.round(16_000 * Math.sin((2 * Math.PI * hertz * at) / rate)), true);
  }
  return wav;
}

/** How many bytes of a WAV file are sound. */
export const soundBytes = (wav: Buffer): number => wav.readUInt32LE(wav.indexOf('data') + 4);

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
