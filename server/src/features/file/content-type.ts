import { extname } from 'node:path';
import { contentTypes } from '../../platform/media/sound.ts';

export const unknownType = 'application/octet-stream';

const byExtension: Readonly<Record<string, string>> = {
  '.wav': contentTypes.wav,
  '.wave': contentTypes.wav,
  '.flac': contentTypes.flac,
  '.mp3': contentTypes.mp3,
  '.ogg': contentTypes.ogg,
  '.oga': contentTypes.ogg,
  '.opus': contentTypes.ogg,
  '.m4a': contentTypes.mp4,
  '.mp4': contentTypes.mp4,
  '.webm': contentTypes.webm,
  '.weba': contentTypes.webm,
  '.aac': contentTypes.adts,
  '.txt': 'text/plain',
  '.log': 'text/plain',
};

/** The content type by the name's extension, used until the bytes are uploaded. */
export const typeByName = (filename: string): string => byExtension[extname(filename).toLowerCase()] ?? unknownType;

/** Sound is recognised by its bytes; a file that is only named like sound is served as plain bytes. */
export function typeByBytes(recognised: string | undefined, filename: string): string {
  const named = typeByName(filename);
  return recognised ?? (named.startsWith('audio/') ? unknownType : named);
}
