export type MediaErrorCode =
  /** Not sound, or not sound that can be read. */
  | 'unreadable'
  /** Longer than any sound that is read. */
  | 'too-long'
  /** It takes more processor time than a file may. */
  | 'too-costly'
  /** Only ffmpeg can do it, and it is not installed. */
  | 'needs-ffmpeg'
  /** No clip sounds within the asked range. */
  | 'nothing-to-join'
  /** The work itself failed: a full disk, a process that hung or died. */
  | 'failed';

/** Its message is written for people and holds no path of the server. */
export class MediaError extends Error {
  readonly code: MediaErrorCode;

  constructor(code: MediaErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MediaError';
    this.code = code;
  }
}

export const unreadable = (): MediaError => new MediaError('unreadable', 'The file is not sound that can be read');
