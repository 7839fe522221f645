import type { Container } from '../../../platform/media/sound.ts';

/** The extension of a file of each format. */
export const extensions: Readonly<Record<Container, string>> = {
  wav: 'wav',
  flac: 'flac',
  mp3: 'mp3',
  ogg: 'ogg',
  mp4: 'm4a',
  webm: 'webm',
  adts: 'aac',
};
