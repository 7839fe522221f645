import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Io } from './io.ts';

/** A program that plays a sound file. */
export interface Player {
  readonly name: string;
  /** Plays only WAV, and only from the start: the file is cut before. */
  readonly wavOnly?: true;
  args(path: string, atSeconds: number): readonly string[];
}

/** The best first. */
export const players: readonly Player[] = [
  {
    name: 'ffplay',
    args: (path, at) => ['-nodisp', '-autoexit', '-loglevel', 'error', '-ss', String(at), '-i', path],
  },
  { name: 'mpv', args: (path, at) => ['--no-video', '--really-quiet', `--start=${at}`, '--', path] },
  { name: 'play', args: (path, at) => ['-q', path, 'trim', String(at)] },
  { name: 'aplay', wavOnly: true, args: (path) => ['-q', path] },
];

/** Where a program is, by PATH. */
export function findProgram(name: string, env: Io['env']): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** The same WAV from a time on. Undefined if the bytes are no WAV. */
export function cutWav(bytes: Buffer, atSeconds: number): Buffer | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let bytesPerSecond = 0;
  let frameBytes = 1;
  for (let at = 12; at + 8 <= bytes.length;) {
    const id = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    if (id === 'fmt ' && at + 24 <= bytes.length) {
      bytesPerSecond = bytes.readUInt32LE(at + 16);
      frameBytes = Math.max(1, bytes.readUInt16LE(at + 20));
    }
    if (id === 'data') {
      const skipped = Math.floor((atSeconds * bytesPerSecond) / frameBytes) * frameBytes;
      const sound = bytes.subarray(Math.min(at + 8 + skipped, bytes.length), at + 8 + size);
      const head = Buffer.from(bytes.subarray(0, at + 8));
      head.writeUInt32LE(sound.length, at + 4);
      head.writeUInt32LE(head.length + sound.length - 8, 4);
      return Buffer.concat([head, sound]);
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}
