/** Takes samples, interleaved, and makes a file of them. */
export interface PcmSink {
  write(bytes: Uint8Array): Promise<void>;
  finish(): Promise<void>;
  /** Lets go of the file as it is; returns once nothing writes to it any more. */
  abort(): Promise<void>;
}
