import { openMedia, type Media } from '@earshot/server/platform/media/media';
import { silentLog } from '@earshot/server/testing/log';
import { existsSync } from 'node:fs';

const folder = '/usr/bin';

/** Why tests with encoded sound are skipped, if they are. `npm test` installs ffmpeg where it is allowed to. */
export const noFfmpeg = existsSync(`${folder}/ffmpeg`) ? undefined : 'ffmpeg is not installed (apt-get install ffmpeg)';

/** Both engines; the same tests apply to each. */
export const engines: readonly { readonly name: string; readonly media: Media }[] = [
  { name: 'ffmpeg', media: openMedia({ log: silentLog, searchPath: folder }) },
  { name: 'JavaScript', media: openMedia({ log: silentLog, searchPath: '' }) },
];

export const media = engines[0]!.media;
export const mediaWithoutFfmpeg = engines[1]!.media;
export const ffmpegPath = `${folder}/ffmpeg`;
export const ffprobePath = `${folder}/ffprobe`;
