import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';

const bufferBytes = 256 * 1024;

/** Appends small pieces to a file through a buffer, without a system call or an allocation for each. */
export class FileWriter {
  readonly #file: FileHandle;
  readonly #buffer = Buffer.allocUnsafeSlow(bufferBytes);
  #filled = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<FileWriter> {
    return new FileWriter(await open(path, 'w'));
  }

  /** The caller may reuse the bytes afterwards. */
  async append(bytes: Uint8Array): Promise<void> {
    if (this.#filled + bytes.length > bufferBytes) await this.#flush();
    if (bytes.length > bufferBytes) return this.#writeAll(bytes);
    this.#buffer.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  /** Flushes the buffer, then overwrites the given positions. */
  async finish(patches: readonly { readonly at: number; readonly bytes: Uint8Array }[] = []): Promise<void> {
    await this.#flush();
    for (const { at, bytes } of patches) await this.#file.write(bytes, 0, bytes.length, at);
    await this.close();
  }

  /** Closes without flushing. */
  close(): Promise<void> {
    return this.#file.close();
  }

  async #flush(): Promise<void> {
    const filled = this.#buffer.subarray(0, this.#filled);
    this.#filled = 0;
    await this.#writeAll(filled);
  }

  /** A single write call may write only a part. */
  async #writeAll(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += (await this.#file.write(bytes, at)).bytesWritten;
  }
}
