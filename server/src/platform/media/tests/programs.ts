import type { Media } from '@earshot/server/platform/media/media';
import { openMedia } from '@earshot/server/platform/media/media';
import { silentLog } from '@earshot/server/testing/log';
import { needs } from '@earshot/server/testing/needs';
import { dirname } from 'node:path';
import { findProgram } from '../../../../../scripts/parts.mjs';

const folder = dirname(findProgram('ffmpeg') ?? '/usr/bin/ffmpeg');

/** Both engines, with the options of their tests; the same tests apply to each. */
export const engines: readonly {
  readonly name: string;
  readonly media: Media;
  readonly options: ReturnType<typeof needs>;
}[] = [
  { name: 'ffmpeg', media: openMedia({ log: silentLog, searchPath: folder }), options: needs('ffmpeg') },
  { name: 'JavaScript', media: openMedia({ log: silentLog, searchPath: '' }), options: {} },
];

export const media = engines[0]!.media;
export const mediaWithoutFfmpeg = engines[1]!.media;
export const ffmpegPath = `${folder}/ffmpeg`;
export const ffprobePath = `${folder}/ffprobe`;
