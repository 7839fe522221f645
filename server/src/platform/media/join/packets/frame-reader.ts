/** Splits a stream into frames whose header gives their length; bytes between frames are dropped. */
export async function* readFrames(
  chunks: AsyncIterable<Buffer>,
  frameBytes: (bytes: Buffer, at: number) => number | undefined,
): AsyncGenerator<Buffer> {
  const longestHeader = 9;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (at + longestHeader <= bytes.length) {
      const length = frameBytes(bytes, at);
      if (length === undefined) at += 1;
      else if (at + length > bytes.length) break;
      else {
        yield bytes.subarray(at, at + length);
        at += length;
      }
    }
    rest = bytes.subarray(at);
  }
}
