import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { conflict } from '../../errors.ts';

/*
 * Which files and statuses clips may have. Every unusable file gets the same message, because a more specific one would
 * reveal whose file it is.
 */

/**
 * The status that is stored for a written one. A clip with its file is available: a status that a client writes never
 * hides sound. Clients use numbers of their own, up to 6, so those that only the platform sets are replaced.
 */
export function storedStatus(given: number, hasFile: boolean): number {
  if (hasFile) return audioClipStatus.available;
  if (given === audioClipStatus.available) return audioClipStatus.uploading;
  if (given === audioClipStatus.uploadFailed) return audioClipStatus.uploadRequested;
  return given > audioClipStatus.uploadFailed ? audioClipStatus.onDevice : given;
}

export const unusableFile = (fileID: number) =>
  conflict(`The file ${fileID} does not exist, is not available, is another device's, or you may not write it.`);
