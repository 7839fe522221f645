import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, open, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { wavHeader, wavHeaderBytes } from '../wav.ts';
import { filteredName } from './trap-network.ts';
import type { FileKind } from './trap-writing.ts';
import {
  appendSlowly,
  dateName,
  inFolder,
  junk,
  linkTo,
  makeSound,
  plainName,
  put,
  wav,
  wavWithSizes,
  whole,
} from './trap-writing.ts';

/*
 * Kinds of files that people, recorders, power cuts and file systems leave in a watched folder. A kind with sound says which
 * bytes must arrive; any other says which file must be named.
 */

export const fileKinds = {
  'a recording': whole(plainName),
  'a name that is not UTF-8': whole(({ number }) =>
    Buffer.concat([Buffer.from([0xff, 0xfe, 0xe9]), Buffer.from(`-${number}.wav`)]),
  ),
  'a name with line breaks and quotes': whole(({ number }) => `a "name"\n\r\t\\ '${number}'.wav`),
  'a name in other scripts': whole(({ number }) => `запись 録音 🎙 e\u0301 ${number}.WAV`),
  'a name of 255 bytes': whole(({ number }) => `${'n'.repeat(255 - 4 - 6)}${String(number).padStart(6, '0')}.wav`),
  'a name that looks like an option': whole(({ number }) => `--help-${number}.wav`),
  'the date in its name': whole(({ number }) => `${dateName(number)}.WAV`),
  'a size of 0 in its header': whole(plainName, (sound) => wavWithSizes(sound, 0, 0)),
  'the largest size in its header': whole(plainName, (sound) => wavWithSizes(sound, 0xffff_ffff, 0xffff_ffff)),
  'cut by a power loss': whole(plainName, (sound) => wav(sound).subarray(0, 44 + Math.floor(sound.length / 3))),
  'an odd number of bytes': whole(plainName, (sound) => Buffer.concat([wav(sound), Buffer.from([1])])),
  'a date in the future': async (trap) => {
    const content = wav(makeSound(trap.chance));
    const path = await put(trap, plainName(trap), content);
    await utimes(path, 2_100_000_000 + trap.number, 2_100_000_000 + trap.number);
    trap.ledger.addSound(path, content);
  },
  'a date of 1970': async (trap) => {
    const content = wav(makeSound(trap.chance));
    const path = await put(trap, plainName(trap), content);
    await utimes(path, 100_000 + trap.number, 100_000 + trap.number);
    trap.ledger.addSound(path, content);
  },
  'silence that equals other silence': async (trap) => {
    const content = wav(Buffer.alloc(32_000));
    trap.ledger.addSound(await put(trap, `${dateName(trap.number)}.wav`, content), content);
  },
  'two recordings of one second': async (trap) => {
    for (const letter of ['a', 'b']) {
      const content = wav(makeSound(trap.chance));
      trap.ledger.addSound(await put(trap, `${letter}_${dateName(trap.number)}.wav`, content), content);
    }
  },
  'one recording under two names': async (trap) => {
    const content = wav(makeSound(trap.chance));
    trap.ledger.addSound(await put(trap, `${dateName(trap.number)}.wav`, content), content);
    trap.ledger.addSamePath(await put(trap, `copy_${dateName(trap.number)}.wav`, content));
  },
  'a hard link': async (trap) => {
    const content = wav(makeSound(trap.chance));
    const path = await put(trap, `${dateName(trap.number)}.wav`, content);
    trap.ledger.addSound(path, content);
    const second = inFolder(trap.folder, `link_${dateName(trap.number)}.wav`);
    await link(path, second).catch(() => {});
    trap.ledger.addSamePath(second);
  },
  'written slowly, its size known': async (trap) => {
    const content = wav(makeSound(trap.chance, 2));
    const path = await put(trap, plainName(trap), content.subarray(0, 44));
    await appendSlowly(path, content.subarray(44), 8, 400);
    trap.ledger.addSound(path, content);
  },
  'written slowly, its size known at the end': async (trap) => {
    const content = wav(makeSound(trap.chance, 2));
    const path = await put(trap, plainName(trap), wavHeader(0));
    await appendSlowly(path, content.subarray(44), 8, 400);
    const file = await open(path, 'r+');
    await file.write(content, 0, 44, 0);
    await file.close();
    trap.ledger.addSound(path, content);
  },
  'moved into the folder': async (trap) => {
    const content = wav(makeSound(trap.chance));
    const hidden = await put(trap, `.${trap.number}.tmp`, content);
    const path = inFolder(trap.folder, plainName(trap));
    await rename(hidden, path);
    trap.ledger.addSound(path, content);
  },
  'in a deep folder': async (trap) => {
    let folder = trap.folder;
    for (let depth = 0; depth < 8; depth++) {
      folder = inFolder(folder, `deep-${trap.number}-${depth}`);
      await mkdir(folder);
      await trap.give(folder);
    }
    const content = wav(makeSound(trap.chance));
    trap.ledger.addSound(await put({ ...trap, folder }, 'a.wav', content), content);
  },
  'many small recordings': async (trap) => {
    for (let each = 0; each < 20; each++) {
      const content = wav(makeSound(trap.chance, 0.3));
      trap.ledger.addSound(await put(trap, `many-${trap.number}-${each}.wav`, content), content);
    }
  },
  'a large recording': async (trap) => {
    const content = wav(makeSound(trap.chance, 20));
    trap.ledger.addSound(await put(trap, plainName(trap), content), content);
  },
  'grown after its upload': async (trap) => {
    const { uploaded, chance, ledger } = trap;
    if (!uploaded) return;
    const former = await readFile(uploaded.path);
    const added = makeSound(chance, 1);
    const content = Buffer.concat([former, added]);
    wavHeader(content.length - 44).copy(content);
    // The header first: a file is never complete in between.
    const file = await open(uploaded.path, 'r+');
    await file.write(content, 0, 44, 0);
    await file.close();
    await appendSlowly(uploaded.path, added, 4, 300);
    ledger.addSound(uploaded.path, content);
  },
  'its name used again': async (trap) => {
    const { uploaded, chance, ledger } = trap;
    if (!uploaded) return;
    const content = wav(makeSound(chance));
    await rm(uploaded.path, { force: true });
    const hidden = inFolder(trap.folder, `.again-${trap.number}.tmp`);
    await writeFile(hidden, content);
    await trap.give(hidden);
    await rename(hidden, uploaded.path);
    ledger.addSound(uploaded.path, content);
  },
  'other bytes with the same name, size and date': async ({ uploaded, chance, ledger }) => {
    if (!uploaded || uploaded.bytes <= wavHeaderBytes) return;
    const { atimeMs, mtimeMs } = await stat(uploaded.path);
    const content = await readFile(uploaded.path);
    makeSound(chance, uploaded.bytes / 32_000).copy(content, wavHeaderBytes);
    const file = await open(uploaded.path, 'r+');
    await file.write(content, 0, content.length, 0);
    await file.utimes(atimeMs / 1_000, mtimeMs / 1_000);
    await file.close();
    ledger.addSound(uploaded.path, content);
  },
  'a huge sparse file': async (trap) => {
    const path = await put(trap, `huge-${trap.number}.wav`, wavHeader(0));
    await truncate(path.toString(), 2 ** 40);
    trap.ledger.addJunk(path);
  },
  'a name that a filter refuses': whole(({ number }) => `${filteredName}${number}.wav`),
  touched: async ({ uploaded }) => {
    if (uploaded) await utimes(uploaded.path, new Date(), new Date());
  },
  'ten bytes': junk(
    ({ number }) => `junk-${number}.wav`,
    () => Buffer.from('0123456789'),
  ),
  'a header that was cut': junk(
    ({ number }) => `cut-${number}.wav`,
    () => wavHeader(32_000).subarray(0, 30),
  ),
  'a header without sound': junk(
    ({ number }) => `no-sound-${number}.wav`,
    () => wavHeader(32_000),
  ),
  'a text': junk(
    ({ number }) => `text-${number}.mp3`,
    ({ number }) => Buffer.from(`Notes of day ${number}, `.repeat(500)),
  ),
  'a page': junk(
    ({ number }) => `page-${number}.ogg`,
    ({ number }) => Buffer.from(`<html>${number}</html>`.repeat(99)),
  ),
  'zeros after a power loss': junk(
    ({ number }) => `zeros-${number}.flac`,
    ({ number }) => Buffer.alloc(8_192 + number),
  ),
  'no bytes': junk(
    ({ number }) => `empty-${number}.wav`,
    () => Buffer.alloc(0),
  ),
  'junk with a name that is not UTF-8': junk(
    ({ number }) => Buffer.concat([Buffer.from([0xc3, 0x28]), Buffer.from(`-${number}.wav`)]),
    () => Buffer.from('RIFF'),
  ),
  'a file that nobody may read': async (trap) => {
    const path = await put(trap, `closed-${trap.number}.wav`, wav(makeSound(trap.chance)));
    await chmod(path, 0);
    trap.ledger.addJunk(path);
  },
  'a folder that nobody may read': async (trap) => {
    const path = inFolder(trap.folder, `closed-${trap.number}`);
    await mkdir(path);
    await trap.give(path);
    await chmod(path, 0);
    trap.ledger.addJunk(path);
  },
  'a folder that is named as sound': async (trap) => {
    const folder = inFolder(trap.folder, `folder-${trap.number}.wav`);
    await mkdir(folder);
    await trap.give(folder);
    trap.ledger.addJunk(folder);
    const content = wav(makeSound(trap.chance));
    trap.ledger.addSound(await put({ ...trap, folder }, plainName(trap), content), content);
  },
  'a pipe': async ({ folder, number, ledger }) => {
    const path = inFolder(folder, `pipe-${number}.wav`);
    execFileSync('mkfifo', [path.toString()]);
    ledger.addJunk(path);
  },
  'a link to nothing': linkTo('broken', '.wav', () => '/nowhere.wav'),
  'a link to itself': linkTo('self', '.wav', (name) => name),
  'a link to its own folder': linkTo('circle', '', () => '.'),
  'a link to the folder above': linkTo('above', '', () => '..'),
  'removed again': async (trap) => {
    const path = await put(trap, `gone-${trap.number}.wav`, wav(makeSound(trap.chance)));
    await sleep(trap.chance.between(0, 50));
    await rm(path);
  },
} satisfies Record<string, FileKind>;

export type FileName = keyof typeof fileKinds;
