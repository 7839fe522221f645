import { type FileHandle, open } from 'node:fs/promises';

const bufferBytes = 256 * 1024;

/** Appends small pieces to a file without a call of the system for each. */
export class FileWriter {
  readonly #file: FileHandle;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<FileWriter> {
    return new FileWriter(await open(path, 'w'));
  }

  /** Keeps a copy: the caller may use the bytes again. */
  async append(bytes: Uint8Array): Promise<void> {
    this.#waiting.push(bytes.slice());
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= bufferBytes) await this.#flush();
  }

  /** Writes over what stands there, once all has been appended. */
  async finish(patches: readonly { readonly at: number; readonly bytes: Uint8Array }[] = []): Promise<void> {
    await this.#flush();
    for (const { at, bytes } of patches) await this.#file.write(bytes, 0, bytes.length, at);
    await this.close();
  }

  /** Without what has not been written. */
  close(): Promise<void> {
    return this.#file.close();
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    // A single write may take only a part.
    for (let at = 0; at < bytes.length;) at += (await this.#file.write(bytes, at)).bytesWritten;
  }
}
