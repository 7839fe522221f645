const pageHeaderBytes = 27;

/** The packets of the first stream of an Ogg file. ffmpeg wrote the file, so checksums are not verified. */
export async function* readOggPackets(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  let begun: Buffer[] = [];
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk]);
    for (let page = takePage(bytes); page; page = takePage(bytes)) {
      bytes = bytes.subarray(page.bytes);
      for (const { part, isEnd } of page.parts) {
        begun.push(part);
        if (!isEnd) continue;
        yield Buffer.concat(begun);
        begun = [];
      }
    }
  }
}

interface Page {
  readonly bytes: number;
  readonly parts: readonly { readonly part: Buffer; readonly isEnd: boolean }[];
}

function takePage(bytes: Buffer): Page | undefined {
  if (bytes.length < pageHeaderBytes) return undefined;
  const segments = bytes[26]!;
  const lacing = bytes.subarray(pageHeaderBytes, pageHeaderBytes + segments);
  let at = pageHeaderBytes + segments;
  const end = at + lacing.reduce((sum, length) => sum + length, 0);
  if (lacing.length < segments || bytes.length < end) return undefined;
  const parts: { part: Buffer; isEnd: boolean }[] = [];
  let length = 0;
  for (const [index, segment] of lacing.entries()) {
    length += segment;
    const isEnd = segment < 255;
    if (!isEnd && index < segments - 1) continue;
    parts.push({ part: bytes.subarray(at, at + length), isEnd });
    at += length;
    length = 0;
  }
  return { bytes: end, parts };
}
