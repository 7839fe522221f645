import { open, symlink, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { wavHeader } from '../wav.ts';
import type { Chance } from './chance.ts';
import type { Ledger, TrapSound } from './ledger.ts';

/* Writes the files of traps, and notes what must become of them. */

export interface FileTrap {
  readonly folder: Buffer;
  /** Different for each trap of a run. */
  readonly number: number;
  readonly chance: Chance;
  readonly ledger: Ledger;
  /** A file in the folder whose sound the platform has, if there is one. */
  readonly uploaded: TrapSound | undefined;
  /** Gives a path to the user that the agent runs as. */
  readonly give: (path: Buffer) => Promise<void>;
}

export type FileKind = (trap: FileTrap) => Promise<void>;

export const inFolder = (folder: Buffer, name: string | Buffer): Buffer =>
  Buffer.concat([folder, Buffer.from('/'), Buffer.from(name)]);

/** Noise that no other trap has; some tenths of a second to some seconds. */
export function makeSound(chance: Chance, seconds = chance.between(1, 60) / 10): Buffer {
  const sound = Buffer.alloc(Math.round(seconds * 16_000) * 2);
  for (let at = 0; at < sound.length; at += 2) sound.writeInt16LE(Math.round((chance.next() - 0.5) * 8_000), at);
  return sound;
}

export const wav = (sound: Buffer): Buffer => Buffer.concat([wavHeader(sound.length), sound]);

/** A header whose sizes are not those of the sound. */
export function wavWithSizes(sound: Buffer, riffBytes: number, dataBytes: number): Buffer {
  const content = wav(sound);
  content.writeUInt32LE(riffBytes, 4);
  content.writeUInt32LE(dataBytes, 40);
  return content;
}

export async function put(trap: FileTrap, name: string | Buffer, content: Buffer): Promise<Buffer> {
  const path = inFolder(trap.folder, name);
  await writeFile(path, content);
  await trap.give(path);
  return path;
}

/** A kind whose file is written at once. */
export const whole =
  (makeName: (trap: FileTrap) => string | Buffer, makeContent = (sound: Buffer) => wav(sound)): FileKind =>
  async (trap) => {
    const content = makeContent(makeSound(trap.chance));
    trap.ledger.addSound(await put(trap, makeName(trap), content), content);
  };

export const junk =
  (makeName: (trap: FileTrap) => string | Buffer, makeContent: (trap: FileTrap) => Buffer): FileKind =>
  async (trap) =>
    trap.ledger.addJunk(await put(trap, makeName(trap), makeContent(trap)));

/** A symbolic link, which is named and not followed. */
export const linkTo =
  (start: string, ending: string, targetOf: (name: string) => string): FileKind =>
  async ({ folder, number, ledger }) => {
    const name = `${start}-${number}${ending}`;
    await symlink(targetOf(name), inFolder(folder, name));
    ledger.addJunk(inFolder(folder, name));
  };

export const plainName = ({ number }: FileTrap): string => `clip-${number}.wav`;

export async function appendSlowly(path: Buffer, content: Buffer, pieces: number, pauseMs: number): Promise<void> {
  const file = await open(path, 'a');
  try {
    const pieceBytes = Math.ceil(content.length / pieces);
    for (let at = 0; at < content.length; at += pieceBytes) {
      await file.write(content.subarray(at, at + pieceBytes));
      await sleep(pauseMs);
    }
  } finally {
    await file.close();
  }
}

/** A second of the year 2020 that belongs to one trap, so that no two recordings share a start by accident. */
export const dateName = (number: number): string => {
  const date = new Date(Date.UTC(2020, 0, 1) + number * 60_000).toISOString();
  return `${date.slice(0, 10).replaceAll('-', '')}_${date.slice(11, 19).replaceAll(':', '')}`;
};
