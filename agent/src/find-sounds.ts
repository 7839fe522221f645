import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { diskPath, decodeName } from './file-name.ts';
import { metadataPath } from './radio-call.ts';

const soundNames = new Set(['.wav', '.mp3', '.m4a', '.aac', '.flac', '.ogg', '.opus', '.webm', '.amr']);
const deepest = 10;

export interface WalkOptions {
  /** Called for everything that is left out although it may be sound, in words for people. */
  readonly onLeftOut: (path: string, reason: string) => void;
  /** Called for a folder that cannot be read. */
  readonly onUnreadable: (path: string, error: unknown) => void;
}

/** The paths of all sound in a folder and the folders in it, in the order of their names. */
export async function* findSounds(folder: string, options: WalkOptions, depth = 0): AsyncGenerator<string> {
  let entries: Dirent<Buffer>[];
  try {
    entries = await readdir(diskPath(folder), { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    return options.onUnreadable(folder, error);
  }
  const named = entries.map((entry) => ({ entry, name: decodeName(entry.name) }));
  const names = new Set(named.map(({ name }) => name));
  for (const { entry, name } of named.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (name.startsWith('.')) continue;
    const path = join(folder, name);
    const isSound = soundNames.has(extname(name).toLowerCase());
    if (entry.isDirectory()) {
      if (isSound) options.onLeftOut(path, 'is a folder; recordings in it are found.');
      if (depth < deepest) yield* findSounds(path, options, depth + 1);
      else options.onLeftOut(path, `is deeper than ${deepest} folders and is not read.`);
    } else if (entry.isSymbolicLink()) {
      if (isSound || (await isFolder(path)))
        options.onLeftOut(path, 'is a symbolic link and is not followed. Watch the folder that it leads to.');
    } else if (isSound && !entry.isFile()) options.onLeftOut(path, 'is a device, a pipe or a socket, not a recording.');
    else if (isSound && !isSecondCopy(name, names)) yield path;
  }
}

/** A link that leads nowhere or in a circle may have been one. */
const isFolder = async (path: string): Promise<boolean> =>
  stat(diskPath(path)).then(
    (found) => found.isDirectory(),
    () => true,
  );

/** trunk-recorder may keep a call as WAV and as M4A, with one description. */
const isSecondCopy = (name: string, names: ReadonlySet<string>): boolean =>
  name.endsWith('.wav') && names.has(metadataPath(name)) && names.has(`${name.slice(0, -4)}.m4a`);
