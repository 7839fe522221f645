/** Regroups bytes so that every chunk has whole frames and can be read as a typed array. */
export async function* wholeFrames(chunks: AsyncIterable<Buffer>, frameBytes: number): AsyncGenerator<Buffer> {
  const frames = new FrameCutter(frameBytes);
  for await (const chunk of chunks) {
    const whole = frames.push(chunk);
    if (whole.length > 0) yield whole;
  }
}

/** The same for chunks that are pushed. */
export class FrameCutter {
  readonly #frameBytes: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(frameBytes: number) {
    this.#frameBytes = frameBytes;
  }

  /** The whole frames of the rest of the previous chunk and this one; maybe none. */
  push(chunk: Buffer): Buffer {
    const bytes = this.#rest.length === 0 && chunk.byteOffset % 8 === 0 ? chunk : joinAligned(this.#rest, chunk);
    const whole = bytes.length - (bytes.length % this.#frameBytes);
    // A copy, so that the rest does not keep the whole chunk in memory.
    this.#rest = Buffer.from(bytes.subarray(whole));
    return bytes.subarray(0, whole);
  }
}

function joinAligned(first: Buffer, second: Buffer): Buffer {
  const both = Buffer.from(new ArrayBuffer(first.length + second.length));
  both.set(first);
  both.set(second, first.length);
  return both;
}

export const asInt16 = (bytes: Buffer): Int16Array =>
  new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);

export const asFloat32 = (bytes: Buffer): Float32Array =>
  new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
