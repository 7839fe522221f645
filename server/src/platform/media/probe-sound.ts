import type { SharedMedia } from './limited-media.ts';
import { MediaError } from './media-error.ts';

/**
 * Undefined: not readable sound. Throws a MediaError for sound that is too long or takes too much time or memory to
 * read.
 */
export async function probeSound(media: SharedMedia, path: string, ownerID: number, signal?: AbortSignal) {
  try {
    return await media.probe(path, ownerID, signal);
  } catch (error) {
    // A file that makes the decoder crash, hang or use too much memory does not count as sound either.
    if (error instanceof MediaError && !isBeyondLimits(error)) return undefined;
    throw error;
  }
}

/** It is sound, but exceeds a limit. */
export const isBeyondLimits = ({ code }: MediaError): boolean => code === 'too-long' || code === 'too-costly';
