import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

export interface FfmpegPrograms {
  readonly ffmpeg: string;
  readonly ffprobe: string;
}

/** Searches at the first use, and again while it is missing, because it may be installed while the server runs. */
export function ffmpegFinder(searchPath: string): () => Promise<FfmpegPrograms | undefined> {
  let found: FfmpegPrograms | undefined;
  return async () => (found ??= await findFfmpeg(searchPath));
}

async function findFfmpeg(searchPath: string): Promise<FfmpegPrograms | undefined> {
  for (const folder of searchPath.split(delimiter).filter(isAbsolute)) {
    const programs = { ffmpeg: join(folder, 'ffmpeg'), ffprobe: join(folder, 'ffprobe') };
    if ((await isProgram(programs.ffmpeg)) && (await isProgram(programs.ffprobe))) return programs;
  }
  return undefined;
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
