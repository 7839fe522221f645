import type { Container } from './sound.ts';
import { contentTypes } from './sound.ts';

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

/** Of a file of this type, `bin` if it is not known as sound. */
export function extensionOf(contentType: string): string {
  const container = (Object.keys(contentTypes) as Container[]).find((name) => contentTypes[name] === contentType);
  return container ? extensions[container] : 'bin';
}
