/** The same samples in pieces of one size; only the last may be shorter. */
export async function* inPieces(sound: AsyncIterable<Float32Array>, size: number): AsyncGenerator<Float32Array> {
  let piece = new Float32Array(size);
  let filled = 0;
  for await (const chunk of sound) {
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.subarray(at, at + size - filled);
      piece.set(taken, filled);
      at += taken.length;
      filled += taken.length;
      if (filled < size) continue;
      yield piece;
      piece = new Float32Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.slice(0, filled);
}
