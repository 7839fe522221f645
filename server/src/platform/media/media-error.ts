export type MediaErrorCode =
  /** Not sound, or not in a readable format. */
  | 'unreadable'
  /** Longer than the longest sound that is accepted. */
  | 'too-long'
  /** Needs more processor time than permitted. */
  | 'too-costly'
  /** Needs ffmpeg, which is not installed. */
  | 'needs-ffmpeg'
  /** No clip has sound within the requested range. */
  | 'nothing-to-join'
  /** The processing failed: a full disk, a process that hung or crashed. */
  | 'failed';

/** The message is for users and contains no path of the server. */
export class MediaError extends Error {
  readonly code: MediaErrorCode;

  constructor(code: MediaErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MediaError';
    this.code = code;
  }
}

export const unreadable = (): MediaError => new MediaError('unreadable', 'The file is not readable sound');
