import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noise, silence } from '@earshot/server/testing/speech';

/*
 * The recordings are not part of the repository. They come from three places, each of which may be missing:
 * - the folder in EARSHOT_BENCH_SPEECH, with a file manifest.tsv: a line of titles, then for each recording its path in
 *   the folder, its source, its language (`en`, `de`, …; `none` without speech) and the spoken words, or for a recording
 *   without speech what it is; separated by tabs. If the folder contains a folder ESC-50, that dataset is used too;
 * - the folder shared/data/speech beside the repository;
 * - Debian's package pocketsphinx-testdata.
 * docs/listening-bench.md says where recordings can be had.
 */

/** Whose English it is. The conditions of recorders are made from that of native speakers. */
export const groupNames = ['native', 'non-native', 'children'] as const;
export type GroupName = (typeof groupNames)[number];

export interface Clip {
  readonly name: string;
  /** The corpus and the speaker: all clips of a source are in the same half (halves.ts). */
  readonly source: string;
  readonly group: GroupName;
  /** `en`, `de`, …; `none` without speech. */
  readonly language: string;
  /** The spoken text, or what the recording is if it contains no speech. */
  readonly said: string;
  readonly read: () => Float32Array;
}

const shared = fileURLToPath(new URL('../../../shared/data/speech', import.meta.url));
const debian = '/usr/share/pocketsphinx/test/data';
export const ownFolder = process.env['EARSHOT_BENCH_SPEECH'] ?? '';
const esc50 = process.env['BENCH_ESC50'] ?? join(ownFolder, 'ESC-50');

/** The folder of ESC-50, if there is one. */
export const esc50Folder: string | undefined = existsSync(join(esc50, 'meta', 'esc50.csv')) ? esc50 : undefined;

/** Classes of ESC-50 that are made by a human voice or breath. */
const voiceClasses = new Set(['breathing', 'coughing', 'crying_baby', 'laughing', 'sneezing', 'snoring']);

/** The transcripts that PocketSphinx's own tests expect for its recordings without a transcript file. */
const unwritten = {
  'goforward.raw': 'go forward ten meters',
  'numbers.raw': 'thirty three four six ninety two',
  'something.raw': 'go somewhere and do something',
};

/** Reads any sound file with ffmpeg. */
export function readSamples(path: string): Float32Array {
  const raw = path.endsWith('.raw') ? ['-f', 's16le', '-ar', '16000', '-ac', '1'] : [];
  const args = ['-v', 'error', ...raw, '-i', path, '-f', 'f32le', '-ac', '1', '-ar', '16000', '-'];
  const bytes = execFileSync('ffmpeg', args, { maxBuffer: 2 ** 30 });
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/** The recordings of the folder in EARSHOT_BENCH_SPEECH. */
export function readOwnClips(): Clip[] | undefined {
  const list = join(ownFolder, 'manifest.tsv');
  if (ownFolder === '' || !existsSync(list)) return undefined;
  return parseManifest(readFileSync(list, 'utf8')).map(({ file, source, language, said }) => ({
    name: basename(file),
    source,
    group: 'native',
    language,
    said,
    read: () => readSamples(join(ownFolder, file)),
  }));
}

/** Throws an error that names the line if a line is incomplete. */
export function parseManifest(text: string): { file: string; source: string; language: string; said: string }[] {
  const lines = text.split('\n').slice(1);
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    const [file = '', source = '', language = '', said = ''] = line.split('\t');
    if (file === '' || language === '') {
      throw new Error(`manifest.tsv, line ${at + 2}: expected file, source, language and words, separated by tabs`);
    }
    return [{ file, source, language, said: said.trim() }];
  });
}

/** These collections do not say who speaks: their names begin with the reader's, the book's or the list's. */
const nativeEnglish = (name: string) =>
  ({ name, source: name.replace(/[-_.].*$|\d.*$/, ''), group: 'native', language: 'en' }) as const;

/** The speech beside this repository, if present. */
export function readSharedClips(): Clip[] | undefined {
  const list = join(shared, 'transcripts.tsv');
  if (!existsSync(list)) return undefined;
  const lines = readFileSync(list, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [name = '', said = ''] = line.split('\t');
    return { ...nativeEnglish(name), said, read: () => readSamples(join(shared, name)) };
  });
}

/** The recordings of Debian's pocketsphinx-testdata. */
export function readDebianClips(): Clip[] | undefined {
  if (!existsSync(debian)) return undefined;
  const written = [
    ['cards', 'cards.transcription'],
    ['librivox', 'transcription'],
  ] as const;
  const clips = written.flatMap(([folder, list]) => {
    const lines = readFileSync(join(debian, folder, list), 'utf8')
      .trim()
      .split('\n');
    return lines.map((line): Clip => {
      const [, said = '', name = ''] = /<s> (.*?)\s*<\/s> \((.*)\)/.exec(line) ?? [];
      return { ...nativeEnglish(name), said, read: () => readSamples(join(debian, folder, `${name}.wav`)) };
    });
  });
  const others = Object.entries(unwritten).map(([name, said]) => ({
    ...nativeEnglish(name),
    said,
    read: () => readSamples(join(debian, name)),
  }));
  return [...clips, ...others];
}

const withoutSpeech = (name: string, said: string) =>
  ({ name, source: name, group: 'native', language: 'none', said }) as const;

/** Sound without speech made by code. */
export function makeVoiceless(): Clip[] {
  const tone = () => silence(20).map((_, at) => 0.3 * Math.sin((2 * Math.PI * 440 * at) / 16_000));
  const pulses = () => noise(20).map((value, at) => (at % 8_000 < 800 ? value : value / 100));
  const made = { silence: () => silence(60), noise: () => noise(60), 'loud noise': () => noise(20, 1), tone, pulses };
  return Object.entries(made).map(([name, read]) => ({ ...withoutSpeech(name, name), read }));
}

/** The clips of ESC-50, with or without those of human voices. */
export function readEnvironment(folder: string, isVoice: boolean): Clip[] {
  const [, ...lines] = readFileSync(join(folder, 'meta', 'esc50.csv'), 'utf8')
    .trim()
    .split('\n');
  const clips = lines.map((line) => {
    const [name = '', , , category = ''] = line.split(',');
    return { ...withoutSpeech(name, category), read: () => readSamples(join(folder, 'audio', name)) };
  });
  return clips.filter(({ said }) => voiceClasses.has(said) === isVoice);
}

/** At most so many clips, spread over the whole list, so that all sources are among them. */
export function pickEvenly<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)]!);
}
