/** Receives interleaved samples and writes a file. */
export interface PcmSink {
  write(bytes: Uint8Array): Promise<void>;
  finish(): Promise<void>;
  /** Closes the incomplete file; resolves when nothing writes to it any more. */
  abort(): Promise<void>;
}
