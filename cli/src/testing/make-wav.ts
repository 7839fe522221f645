/** A WAV of this many seconds, 8 kHz mono; `seed` makes its bytes differ. */
export function makeWav(seconds: number, seed = 1): Buffer {
  const samples = Math.round(8_000 * seconds);
  const wav = Buffer.alloc(44 + 2 * samples);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(36 + 2 * samples, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  for (const [at, value] of [
    [16, 16],
    [24, 8_000],
    [28, 16_000],
    [40, 2 * samples],
  ] as const)
    wav.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    wav.writeUInt16LE(value, at);
  wav.write('data', 36, 'latin1');
  for (let at = 0; at < samples; at += 1)
    wav.writeInt16LE(Math.round(9_000 * Math.sin((at * (200 + seed)) / 8_000)), 44 + 2 * at);
  return wav;
}
