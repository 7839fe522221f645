import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const blockBytes = 512;

/**
 * Extracts some files of a package to the given paths. The package has been checked before, so only the format of npm's
 * packages is supported. Nothing in the package decides where a file is written.
 */
export async function extractFiles(tarball: string, wanted: ReadonlyMap<string, string>): Promise<void> {
  const reader = new BlockReader(createReadStream(tarball).pipe(createGunzip()));
  const left = new Map(wanted);
  while (left.size > 0) {
    const header = await reader.read(blockBytes);
    if (header === undefined || header.every((byte) => byte === 0)) break;
    const { name, bytes, isFile } = readHeader(header);
    const target = isFile ? left.get(name) : undefined;
    if (target !== undefined) {
      await reader.copyTo(target, bytes);
      left.delete(name);
    } else {
      await reader.skip(bytes);
    }
    await reader.skip((blockBytes - (bytes % blockBytes)) % blockBytes);
  }
  reader.close();
  if (left.size > 0) throw new Error(`the package lacks ${[...left.keys()].join(' and ')}`);
}

function readHeader(header: Buffer): { name: string; bytes: number; isFile: boolean } {
  const text = (start: number, length: number) =>
    header
      .subarray(start, start + length)
      .toString('utf8')
      .replace(/\0.*$/s, '');
  const prefix = text(345, 155);
  const path = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
  const bytes = Number.parseInt(text(124, 12), 8) || 0;
  // npm puts everything into one folder, usually named `package`.
  return { name: path.replace(/^[^/]+\//, ''), bytes, isFile: ['0', ''].includes(text(156, 1)) };
}

/** Reads a stream in pieces of requested lengths. */
class BlockReader {
  private readonly stream: Readable;
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.stream = stream;
    this.chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Undefined at the end. */
  async read(bytes: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for (let left = bytes; left > 0;) {
      const part = await this.next(left);
      if (part === undefined) return undefined;
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  async skip(bytes: number): Promise<void> {
    for (let left = bytes; left > 0;) left -= (await this.need(left)).length;
  }

  async copyTo(path: string, bytes: number): Promise<void> {
    const file = await open(path, 'wx');
    try {
      for (let left = bytes; left > 0;) {
        const part = await this.need(left);
        await file.write(part);
        left -= part.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
  }

  close(): void {
    this.stream.destroy();
  }

  private async need(most: number): Promise<Buffer> {
    const part = await this.next(most);
    if (part === undefined) throw new Error('the package is truncated');
    return part;
  }

  private async next(most: number): Promise<Buffer | undefined> {
    while (this.rest.length === 0) {
      const { done, value } = await this.chunks.next();
      if (done === true) return undefined;
      this.rest = value;
    }
    const part = this.rest.subarray(0, most);
    this.rest = this.rest.subarray(part.length);
    return part;
  }
}
